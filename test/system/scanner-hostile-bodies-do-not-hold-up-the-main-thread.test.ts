/** Every tenth call is ten megabytes of something made to be dear. The thread with the sockets goes on turning. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../helpers/process.ts';
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

/** What the machine does to a process that does nothing: its neighbours' work is not ours to answer for. */
const IDLE = `
const watch = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 });
watch.enable();
process.on('message', () => process.send(watch.percentile(99) / 1e6));
process.send('up');
`;

async function startIdle(): Promise<{ p99: () => Promise<number>; stop: () => void }> {
  const child = spawn(process.execPath, ['-e', IDLE], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise((resolve) => child.once('message', resolve));
  return {
    p99: () =>
      new Promise((resolve) => {
        child.once('message', (value) => resolve(value as number));
        child.send('tell');
      }),
    stop: () => void child.kill(),
  };
}

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

/** Both are told as the time from tick to tick of a timer of so many milliseconds: what is more than that is the delay. */
const TICK_MS = 10;

/** Milliseconds since the last time it was asked. */
async function delayP99(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)![1]) * 1000 - TICK_MS;
}

test('event-loop delay with every tenth body hostile and at the limit', async (t) => {
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
  const running = await startProcess({
    server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 },
    upstreams: { llm: { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` } },
    scanner: { threads: 2 },
    // Time enough for ordinary calls behind dear ones: what is measured here is not the thread that scans.
    security: { failure_mode: 'closed', scanner_timeout_ms: 20_000 },
  });
  const idle = await startIdle();
  t.after(async () => {
    idle.stop();
    await running.close();
    upstream.closeAllConnections();
    upstream.close();
  });
  for (let n = 0; n < 50; n += 1) await post(running.port, ORDINARY);
  await delayP99(running.port);

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
  const p99 = await delayP99(running.port);
  const noise = (await idle.p99()) - TICK_MS;
  on = false;
  await Promise.all(callers);

  const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
  t.diagnostic(
    `p99 ${p99.toFixed(1)} ms, of a process that does nothing ${noise.toFixed(1)} ms; ${calls} calls: ${told}`,
  );
  assert.ok(calls > 30 && (statuses.get(200) ?? 0) > 20, told);
  // Where even a process that does nothing is kept waiting, the figure is the neighbours', and only the order of it is ours.
  assert.ok(p99 < Math.max(20, 5 * noise), `${p99} ms, and ${noise} ms by itself`);
});
