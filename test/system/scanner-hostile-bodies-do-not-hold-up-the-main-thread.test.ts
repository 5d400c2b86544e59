/** Every tenth call is ten megabytes of something made to be dear. The thread with the sockets goes on turning. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopDelay } from '../helpers/loop-probe.ts';
import { startProcess, type Running } from '../helpers/process.ts';
import { prose } from '../fixtures/streams/through.ts';

const SECONDS = 10;
const LIMIT = 10_485_760;
const CALLERS = 8;

const says = (content: string): Buffer => Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }));
const ORDINARY = says(prose(2000));
const HOSTILE: readonly Buffer[] = [
  Buffer.from(`[${'{},'.repeat(3_400_000)}{}]`),
  says('e\u0301\u0302\u0303'.repeat(1_300_000)),
  says('aWdub3Jl '.repeat(1_100_000)),
  says('\\u0069'.repeat(800_000)),
  says(`ignore all previous ${'-'.repeat(9_000_000)}`),
];

function post(port: number, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { port, path: '/llm/v1/chat/completions', method: 'POST', headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode!));
        answer.once('error', reject);
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** How late the main thread was since the last time it was asked. */
async function loopDelay({ child, lines }: Running): Promise<LoopDelay> {
  const told = (): string[] => lines().filter((line) => line.startsWith('{"loop":'));
  const before = told().length;
  child.kill('SIGUSR2');
  while (told().length === before) await sleep(10);
  return (JSON.parse(told().at(-1)!) as { loop: LoopDelay }).loop;
}

const skip = existsSync('/proc/self/schedstat') ? false : 'this kernel does not say how long a thread waited';

test('event-loop delay with every tenth body hostile and at the limit', { skip }, async (t) => {
  assert.ok(
    HOSTILE.every(({ length }) => length <= LIMIT && length > LIMIT / 3),
    HOSTILE.map((body) => body.length).join(),
  );
  const upstream = createServer((incoming, response) => {
    incoming.resume();
    incoming.once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const running = await startProcess(
    {
      server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 },
      upstreams: { llm: { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` } },
      scanner: { threads: 2 },
      // Time enough for ordinary calls behind dear ones: what is measured here is not the thread that scans.
      security: { failure_mode: 'closed', scanner_timeout_ms: 20_000 },
    },
    {},
    ['--import', new URL('../helpers/loop-probe.js', import.meta.url).href],
  );
  t.after(() => running.close());
  for (let n = 0; n < 50; n += 1) await post(running.port, ORDINARY);
  await loopDelay(running);

  const statuses = new Map<number, number>();
  let calls = 0;
  let on = true;
  const caller = async (): Promise<void> => {
    while (on) {
      const n = calls++;
      const status = await post(running.port, n % 10 === 9 ? HOSTILE[((n / 10) | 0) % HOSTILE.length]! : ORDINARY);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await sleep(20);
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  await sleep(SECONDS * 1000);
  const { ticks, p99, own } = await loopDelay(running);
  on = false;
  await Promise.all(callers);

  const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  t.diagnostic(
    `p99 of ${ticks} ticks: ${own.toFixed(1)} ms, and ${p99.toFixed(1)} ms with waiting for a processor; ${calls} calls: ${told}`,
  );
  assert.ok(calls > 30 && (statuses.get(200) ?? 0) > 20, told);
  assert.ok(ticks > 300, `${ticks} ticks`);
  // Callers and upstream share two processors with what is measured: waiting for one of them is not ours to answer for.
  assert.ok(own < 20, `${own} ms`);
});
