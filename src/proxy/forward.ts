/**
 * The one door to http-proxy. It exposes one verb, `send`, and closes the holes that the library leaves (docs/security.md
 * lists them, one regression test each). The library never sees the client's request: it is given an attempt that we
 * made, whose method, target, headers and bytes are decided, so nothing on its way can disagree with what was scanned.
 */
import './util-extend.ts';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions, type ServerResponse } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import httpProxy from 'http-proxy';
import type { Deadline } from './deadline.ts';

/** Whose fault, and what kind, when no response head came. */
export type Fault = 'unreachable' | 'timeout' | 'closed' | 'invalid';

export interface Outgoing {
  readonly method: string;
  /** Path and query as the upstream will see them, byte for byte. */
  readonly path: string;
  /** Names and values in turn, framing included. */
  readonly headers: readonly string[];
  /** The bytes that were judged; null when the request has no body. */
  readonly body: Buffer | null;
}

export interface Hearer {
  /** A response head that can be relayed. The body has not been touched. */
  answered(response: IncomingMessage): void;
  /** No response will come. Called at most once, never after `answered`. */
  failed(fault: Fault): void;
  retried(): void;
}

export interface Flight {
  /** Ends the call to the upstream now, in whatever phase it is. Neither of the hearer's verbs is called after it. */
  cancel(): void;
}

export interface Forwarder {
  send(outgoing: Outgoing, deadline: Deadline, hearer: Hearer): Flight;
  serves(target: ForwardTarget): boolean;
  /** Calls under way end in their own time; their connections are not kept. */
  retire(): void;
  close(): void;
}

export interface ForwardTarget {
  /** Scheme, host and port. */
  readonly url: string;
  readonly maxSockets: number;
  readonly queueMs: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
}

/** Shorter than any upstream's own idle time, so that we rarely write into a socket that it is closing. */
const IDLE_SOCKET_MS = 4000;
/** A stale socket resets at once. One that dies later was at work, and repeating work costs the client's money. */
const RETRY_WITHIN_MS = 1000;
/** Held no longer than it may have to be sent again. */
const LONG_BYTES = 65_536;
/** Node drops response headers past this many without a word, and one of them may be the framing. */
const MAX_RESPONSE_HEADERS = 1000;

const common = createRequire(import.meta.url)('http-proxy/lib/http-proxy/common') as {
  setupOutgoing: (into: object, options: object, attempt: Attempt) => RequestOptions;
};
// The library's own parses the target again, merges slashes, rewrites `http:/` and copies the headers into an object, which
// joins what was apart. Nothing is left to set up: what was decided is what is sent.
common.setupOutgoing = (_into, _options, attempt) => attempt.options;

/** What the library reads of a request, made by us. */
interface Attempt {
  readonly method: string;
  readonly options: RequestOptions;
  readonly socket: { readonly destroyed: boolean };
  /** The library listens for `aborted`, on which it gives the upstream up, and for an `error` that we never have. */
  readonly on: (event: string, listener: () => void) => void;
  readonly assigned: (request: ClientRequest) => void;
  readonly answered: (response: IncomingMessage) => void;
}

const LIVE_SOCKET = { destroyed: false };
const NOTHING_YET = (): void => {};
/** selfHandleResponse leaves the response to us; these two fields are all that the library looks at. */
const NO_RESPONSE = { headersSent: false, finished: false } as unknown as ServerResponse;

export function createForwarder(target: ForwardTarget): Forwarder {
  const url = new URL(target.url);
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const agentOptions = {
    keepAlive: true,
    maxSockets: target.maxSockets,
    maxFreeSockets: Math.min(target.maxSockets, 256),
    timeout: IDLE_SOCKET_MS,
    scheduling: 'lifo',
  } as const;
  // Pinned: left alone, the library would make the client's Host header the TLS server name.
  const agent = secure
    ? new https.Agent({ ...agentOptions, servername: isIP(hostname) === 0 ? hostname : '' })
    : // Empty, or the agent would work one out for every call, from a header.
      new http.Agent({ ...agentOptions, servername: '' } as http.AgentOptions);

  const { protocol } = url;
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const proxy = httpProxy.createProxyServer({
    target: { protocol, host: hostname, port },
    selfHandleResponse: true,
  });
  // Only the pass that sends: one of the others (deleteLength) removes the framing of a body that is still sent, and so
  // turns it into a second request.
  const passes = proxy as unknown as { webPasses: { name: string }[] };
  passes.webPasses = passes.webPasses.filter((pass) => pass.name === 'stream');
  proxy.on('proxyReq', (request, attempt) => (attempt as unknown as Attempt).assigned(request));
  proxy.on('proxyRes', (response, attempt) => (attempt as unknown as Attempt).answered(response));
  // Every call has its own callback; without a listener the emitter would throw if one were ever missed.
  proxy.on('error', () => {});

  function send({ method, path, headers, ...rest }: Outgoing, deadline: Deadline, hearer: Hearer): Flight {
    let { body } = rest;
    let settled = false;
    let giveUp = NOTHING_YET;
    let forgetting: NodeJS.Timeout | undefined;

    const settle = (): void => {
      settled = true;
      forget();
    };
    // At once when it is over: kept a second longer, every long body outlives its youth, and is freed only by collections of
    // the whole heap, which cost more than the call.
    const forget = (): void => {
      body = null;
      clearTimeout(forgetting);
    };

    const fail = (fault: Fault): void => {
      if (settled) return;
      settle();
      giveUp();
      hearer.failed(fault);
    };

    // An answer may take minutes, and what was asked is not needed for it.
    const forgetSoon = (): void => {
      if (!settled) forgetting = setTimeout(forget, RETRY_WITHIN_MS).unref();
    };

    const start = (first: boolean): void => {
      const startedAt = performance.now();
      let request: ClientRequest | null = null;
      let connecting = true;
      let readBefore = 0;

      const attempt: Attempt = {
        method,
        options: { protocol, hostname, port, agent, method, path, headers },
        socket: LIVE_SOCKET,
        on(event, listener) {
          if (event === 'aborted') giveUp = listener;
        },
        assigned(assigned) {
          request = assigned;
          if (body !== null && body.length > LONG_BYTES) assigned.once('finish', forgetSoon);
          const socket = assigned.socket as Socket;
          readBefore = socket.bytesRead;
          if (socket.connecting) {
            deadline.enter('connect', target.connectMs);
            socket.once(secure ? 'secureConnect' : 'connect', () => {
              connecting = false;
              if (!settled) deadline.enter('first-byte', target.firstByteMs);
            });
          } else {
            connecting = false;
            deadline.enter('first-byte', target.firstByteMs);
          }
          // A 101 that nobody asked for: there is no response event, and the client would wait for ever.
          assigned.once('upgrade', (_response, upgraded) => {
            upgraded.destroy();
            fail('invalid');
          });
        },
        answered(response) {
          // Without a listener an error of the body would be thrown; `close` is what tells us of it.
          response.on('error', () => {});
          if (settled) {
            response.destroy();
            return;
          }
          if (!relayable(response)) {
            fail('invalid');
            return;
          }
          settle();
          hearer.answered(response);
        },
      };

      const failed = (error: NodeJS.ErrnoException): void => {
        if (settled) return;
        const reset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        // Not one byte of an answer: an upstream that had begun to speak had done the work.
        const stale = reset && request !== null && request.reusedSocket && request.socket?.bytesRead === readBefore;
        if (first && stale && performance.now() - startedAt < RETRY_WITHIN_MS) {
          hearer.retried();
          start(false);
          return;
        }
        fail(faultOf(error, connecting));
      };

      deadline.enter('queue', target.queueMs);
      try {
        // The library pipes `buffer` and does nothing else with it. Ending with the bytes puts head and body into one
        // write; a stream made of one buffer costs more than the rest of the call.
        const buffer = { pipe: (request: ClientRequest) => request.end(body ?? undefined) };
        proxy.web(
          attempt as unknown as IncomingMessage,
          NO_RESPONSE,
          { buffer: buffer as unknown as Readable },
          failed,
        );
      } catch {
        // Node refuses to write this head (a control character in a header, say).
        fail('invalid');
      }
    };

    start(true);
    return {
      cancel() {
        settle();
        // The library's own listener, which also works while the request waits for a socket.
        giveUp();
      },
    };
  }

  return {
    send,
    serves: (other) => JSON.stringify(other) === JSON.stringify(target),
    retire() {
      (agent as unknown as { keepAlive: boolean }).keepAlive = false;
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
    close: () => agent.destroy(),
  };
}

/** Status lines and header blocks that we could not pass on truthfully. */
function relayable(response: IncomingMessage): boolean {
  const status = response.statusCode ?? 0;
  return status >= 200 && status <= 599 && response.rawHeaders.length < MAX_RESPONSE_HEADERS * 2;
}

function faultOf(error: NodeJS.ErrnoException, connecting: boolean): Fault {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return 'invalid';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (connecting) return 'unreachable';
  return 'closed';
}
