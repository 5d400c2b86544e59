import { request } from 'node:http';
import { EXIT, misuse } from './command.ts';
import type { Arguments, Command } from './command.ts';
import { CONFIG_FLAGS, configFor } from './config-flags.ts';

/**
 * Below the usual timeout of 5 s of a container's health check, so that this command reports the timeout before it is
 * killed.
 */
const TIMEOUT_MS = 4000;
const MAX_BODY = 4096;
const NO_REPORT = 'the answer is not a health report; is it guard that listens there?';
/** What /healthz and /readyz answer when all is well. */
const HEALTHY: ReadonlySet<unknown> = new Set(['healthy', 'ready']);
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]']);

/** Asks a running proxy whether it is alive, for example as the health check of a container. */
export const command: Command = {
  usage: ['healthcheck [-c FILE | --url URL]'],
  flags: {
    ...CONFIG_FLAGS,
    url: { value: 'URL', help: 'ask this address; the configuration is not read' },
  },
  maxWords: 0,
  async run(args) {
    const given = args.text('url');
    const address = given === undefined ? await configured(args) : parse(given);
    if (address === null) return EXIT.config;
    const problem = await ask(address);
    if (problem === null) return EXIT.ok;
    // Printed without user and password, which the address may contain.
    console.error(`unhealthy: ${address.origin}${address.pathname}: ${problem}`);
    return EXIT.failure;
  },
};

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 'http:') throw misuse('--url needs an http URL, such as http://127.0.0.1:8080');
  if (url.pathname === '/') url.pathname = '/healthz';
  return url;
}

async function configured(args: Arguments): Promise<URL | null> {
  const loaded = await configFor(args);
  if (loaded === null) return null;
  const { host, port } = loaded.config.server;
  if (port === 0) throw misuse('server.port is 0, so the port is known to the running proxy only; give --url');
  const name = WILDCARDS.has(host) ? '127.0.0.1' : host;
  return new URL(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}/healthz`);
}

/**
 * Returns null when healthy, else the reason. It does not use `fetch`, which takes longer to load than the request
 * takes.
 */
function ask(url: URL): Promise<string | null> {
  return new Promise((resolve) => {
    // The signal limits the whole answer. A socket timeout would let a server send single bytes forever.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = request(url, { signal, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
        if (body.length > MAX_BODY) settle('the answer is too long');
      });
      response.on('end', () => settle(verdict(response.statusCode ?? 0, body)));
      response.on('error', (error) => settle(signal.aborted ? 'no whole answer in time' : error.message));
    });
    call.on('error', (error: NodeJS.ErrnoException) => settle(signal.aborted ? 'no answer in time' : reasonOf(error)));
    call.end();

    function settle(problem: string | null): void {
      resolve(problem);
      call.destroy();
    }
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED')
    return 'ECONNREFUSED: nothing listens there; is guard running, and are server.host and server.port, or --url, those it listens on?';
  if (code === 'ENOTFOUND') return 'ENOTFOUND: no such host name; mend server.host or --url';
  return code ?? message;
}

function verdict(status: number, body: string): string | null {
  if (status === 404) return 'status 404; is it guard that listens there?';
  if (status !== 200) return `status ${status}`;
  try {
    const answer = JSON.parse(body) as { status?: unknown } | null;
    return HEALTHY.has(answer?.status) ? null : NO_REPORT;
  } catch {
    return NO_REPORT;
  }
}
