import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDemoUpstream, type DemoUpstream } from '../../src/demo/upstream.ts';
import { answers, folder, freePort, need, REPOSITORY, start, startProxy, until, type Program } from './processes.ts';

/** The shipped configuration of HAProxy, two guards, and each of them restarted under load. */

const PER_SECOND = 250;
const STREAMS = 20;
const DELAY_MS = 3500;

const files = folder();
let upstream: DemoUpstream;
let balancer: Program;
let base: string;
const ports: number[] = [];
const proxies: Program[] = [];
let configuration: string;

before(async () => {
  need('haproxy');
  upstream = await startDemoUpstream({ anyKey: true, slowMs: 400 });
  configuration = files.write(
    'guard.yaml',
    JSON.stringify({
      server: {
        host: '127.0.0.1',
        shutdown_delay_ms: DELAY_MS,
        shutdown_timeout_ms: 20_000,
        trusted_proxies: ['127.0.0.1/32'],
      },
      upstreams: { 'llm-a': { url: upstream.url, wire: 'openai' } },
      scanner: { threads: 1 },
      logging: { level: 'warn' },
    }),
  );
  ports.push(await freePort(), await freePort());
  proxies.push(...(await Promise.all(ports.map((port) => startProxy(configuration, port)))));
  const [bind, status] = [await freePort(), await freePort()];
  base = `http://127.0.0.1:${bind}`;
  balancer = start('haproxy', ['-f', join(REPOSITORY, 'deploy/haproxy/haproxy.cfg')], {
    GUARD_LB_BIND: `127.0.0.1:${bind}`,
    GUARD_LB_STATUS: `127.0.0.1:${status}`,
    GUARD_1: `127.0.0.1:${ports[0]}`,
    GUARD_2: `127.0.0.1:${ports[1]}`,
  });
  await until('haproxy', () => answers(`${base}/healthz`), { heard: balancer.output });
});

after(async () => {
  await balancer?.stop();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await upstream?.close();
  files.remove();
});

test('HAProxy keeps the metrics of an instance from the outside', async () => {
  assert.ok(await answers(`${base}/metrics`, 404));
});

test(
  'restarting each of two instances under load loses no request and cuts no stream',
  { timeout: 150_000 },
  async (t) => {
    const load = startLoad(base);
    await sleep(1000);
    for (const [i, port] of ports.entries()) {
      const old = proxies[i]!;
      old.signal('SIGTERM');
      assert.equal(await old.exited, 0, old.output().slice(-2000));
      proxies[i] = await startProxy(configuration, port);
      // Two good checks of HAProxy, and some traffic.
      await sleep(3000);
    }
    const { sent, streamed, failures } = await load.stop();
    t.diagnostic(`${sent} calls and ${streamed} streams, ${failures.length} failures`);
    assert.deepEqual(failures, []);
    assert.ok(sent > 2000, `only ${sent} calls were made`);
    assert.ok(streamed >= 2 * STREAMS, `only ${streamed} streams were read to their end`);
  },
);

test('no connection to an instance outlives the client that it was made for', async () => {
  const agent = new Agent({ keepAlive: true });
  await Promise.all(Array.from({ length: 20 }, () => call(base, agent, 'demo', false)));
  assert.ok(held() >= 20, 'a client that stays keeps its connection');
  agent.destroy();
  // The checks of HAProxy come and go.
  await until('every connection to end', () => held() === 0, { timeoutMs: 10_000 });
});

/** Connections of the balancer to the instances, as the kernel sees them. */
function held(): number {
  const ESTABLISHED = '01';
  const [REMOTE, STATE, INODE] = [2, 3, 9];
  const folder = `/proc/${balancer.pid}/fd`;
  const own = new Set(readdirSync(folder).map((name) => /socket:\[(\d+)\]/.exec(linkOf(join(folder, name)))?.[1]));
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => row[STATE] === ESTABLISHED && own.has(row[INODE]))
    .filter((row) => ports.includes(Number.parseInt(row[REMOTE]!.split(':')[1]!, 16))).length;
}

/** A check of the balancer may be over, and its socket closed, before it is looked at. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Calls at a constant rate, whether or not earlier ones came back, and beside them streams that are always open. */
function startLoad(base: string): { stop(): Promise<{ sent: number; streamed: number; failures: readonly string[] }> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const failures: string[] = [];
  let [sent, streamed] = [0, 0];
  const stopping = new AbortController();
  const open = new Set<Promise<void>>();
  const track = (work: Promise<void>): void => {
    open.add(work);
    void work.finally(() => open.delete(work));
  };
  const fail = (what: string): void => {
    if (failures.length < 20) failures.push(what);
  };

  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * PER_SECOND;
    for (; sent < due; sent++) {
      track(
        call(base, agent, 'demo', false).then(
          ({ status, text }) => {
            if (status !== 200 || !text.includes('"choices"')) fail(`call: ${status} ${text.slice(0, 100)}`);
          },
          (error: Error) => fail(`call: ${error.message}`),
        ),
      );
    }
  }, 10);

  const stream = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const { status, text } = await call(base, agent, 'demo-slow', true);
        if (status === 200 && text.endsWith('data: [DONE]\n\n')) streamed++;
        else fail(`stream: ${status} ...${text.slice(-100)}`);
      } catch (error) {
        fail(`stream: ${(error as Error).message}`);
      }
    }
  };
  for (let i = 0; i < STREAMS; i++) track(stream());

  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(open);
      agent.destroy();
      return { sent, streamed, failures };
    },
  };
}

function call(base: string, agent: Agent, model: string, stream: boolean): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({
    model,
    stream,
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
  });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${base}/llm-a/v1/chat/completions`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('cut off')));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
