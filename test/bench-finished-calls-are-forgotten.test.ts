import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startChild } from '../bench/process.ts';
import type { LoadResult } from '../bench/load.ts';
import { createDeadlineClock } from '../src/proxy/deadline.ts';
import { createForwarder, type CallListener } from '../src/proxy/forward.ts';
import { createRoster, NOT_IN_ROSTER } from '../src/domain/roster.ts';
import { startGuard } from './helpers/guard.ts';
import { startProcess } from './helpers/process.ts';

/** Whatever is in old space stays there, with all it holds, until a full collection; finished calls must not get there. */

function oldSpace(): number {
  return v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
}

for (const [calls, scanner] of [
  ['calls that are forwarded unread', { enabled: false }],
  ['scanned calls', { threads: 1 }],
] as const) {
  test(`a thousand finished ${calls} leave next to nothing of themselves in old space`, async (t) => {
    const sizes = { requestBytes: 2048, responseBytes: 1024 };
    const upstream = await startChild('upstream.js', sizes);
    t.after(() => upstream.close());
    const load = await startChild('load.js', sizes);
    t.after(() => load.close());
    const guard = await startGuard({
      upstreams: { 'llm-a': { url: `http://127.0.0.1:${upstream.port}`, wire: 'openai' } },
      config: { scanner, logging: { level: 'silent' } },
    });
    t.after(() => guard.close());
    const send = async (requests: number): Promise<void> => {
      const task = { kind: 'closed', port: guard.port, prefix: '/llm-a', connections: 8, requests };
      assert.equal(((await load.ask(task)) as LoadResult).answered, requests);
    };
    await send(2000);
    // A full collection in between makes a measurement too low, never too high: the most of several is the figure.
    const growth: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const before = oldSpace();
      await send(1000);
      growth.push((oldSpace() - before) / 1000);
    }
    // In a young process some calls are always under way when the small heap is swept. One that is kept costs 13 KB or more.
    const perCall = growth.sort((a, b) => a - b)[2]!;
    assert.ok(perCall < 6000, `${Math.round(perCall)} bytes of each call went to old space`);
  });
}

/** How V8 begins a line about a collection: the process and the heap. */
const HEAP = /^\[\d+:0x\w+\]/;

test('scanning threads throw the turns of a long history away young', async (t) => {
  const sizes = { requestBytes: 2048, responseBytes: 1024 };
  const upstream = await startChild('upstream.js', sizes);
  t.after(() => upstream.close());
  const load = await startChild('load.js', sizes);
  t.after(() => load.close());
  const guard = await startProcess(
    {
      server: { host: '127.0.0.1', port: 0 },
      upstreams: { 'llm-a': { url: `http://127.0.0.1:${upstream.port}`, wire: 'openai' } },
      // The default would let calls pass unread where the tests share two cores.
      security: { scanner_timeout_ms: 20_000 },
    },
    {},
    ['--trace-gc'],
  );
  t.after(() => guard.close());
  const body = { bytes: 86_620, turns: 200, stamps: 'last' };
  await upstream.ask(body);
  const calls = async (requests: number): Promise<void> => {
    const task = { kind: 'closed', port: guard.port, prefix: '/llm-a', connections: 16, body, requests } as const;
    assert.equal(((await load.ask(task)) as LoadResult).answered, requests);
  };
  const traced = (): string[] => guard.lines().filter((line) => HEAP.test(line));
  await calls(1000);
  const before = traced().length;
  await calls(1000);
  // The main thread's heap is the first to be collected: it reads the program before there are others.
  const main = HEAP.exec(traced()[0]!)![0];
  const whole = traced()
    .slice(before)
    .filter((line) => line.includes('Mark-Compact') && !line.startsWith(main));
  // Where they grow old, each of two heaps is collected as a whole after a hundred turns or so.
  assert.ok(whole.length <= 2, `${whole.length} collections of a whole heap in 1000 turns`);
});

const LONG = 200_000;

test('a long body is forgotten as soon as its answer begins', async (t) => {
  const upstream = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200).flushHeaders());
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const forwarder = createForwarder({
    url: `http://127.0.0.1:${port}`,
    maxSockets: 1,
    queueMs: 1000,
    connectMs: 1000,
    firstByteMs: 1000,
  });
  const clock = createDeadlineClock();
  t.after(() => {
    forwarder.close();
    clock.close();
    upstream.closeAllConnections();
    upstream.close();
  });
  const headers = ['Host', 'localhost', 'Content-Length', String(LONG)];
  const hearer = (resolve: () => void, reject: () => void): CallListener => ({
    onResponse: resolve,
    onFailure: reject,
    onBodySent: () => {},
    onRetry: () => {},
    onMalformedBody: () => {},
  });
  // Made where no function of ours that lives on can hold it.
  const kept = await new Promise<WeakRef<Buffer>>((resolve, reject) => {
    const outgoing = { method: 'POST', path: '/', headers, body: Buffer.alloc(LONG, 'a') };
    const body = new WeakRef(outgoing.body);
    forwarder.send(
      outgoing,
      clock.open(5000, reject),
      hearer(() => resolve(body), reject),
    );
  });
  v8.setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What the event loop still holds of the request goes with its next turns, well before the second for which it may be sent again.
  for (let i = 0; i < 10 && kept.deref() !== undefined; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  assert.equal(kept.deref(), undefined);
});

test('no function is written straight into a property: V8 would put it, and the call it closes over, into old space', () => {
  const atStart = new Set(['src/proxy/forward.ts: common.setupOutgoing', 'src/observe/metrics.ts: collect']);
  const found: string[] = [];
  for (const folder of [
    'src/http',
    'src/proxy',
    'src/proxy/stream',
    'src/routes',
    'src/scanner',
    'src/observe',
    'src',
  ]) {
    for (const name of readdirSync(join(process.cwd(), folder))) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(process.cwd(), folder, name), 'utf8');
      for (const [, left] of text.matchAll(
        /^ *\(?([\w.!]*[^;\n]*?\.\w+) = (?:async )?(?:function|\([^()]*\)(?:: [^=\n]+)? =>|\w+ =>)/gm,
      )) {
        const entry = `${folder}/${name}: ${left!.includes('common.') ? left : left!.split('.').pop()}`;
        if (!atStart.has(entry)) found.push(entry);
      }
    }
  }
  assert.deepEqual(found, []);
});

test('no getter is written into an object on the way of a call: V8 would put it into old space, too', () => {
  const found: string[] = [];
  for (const folder of ['src/http', 'src/proxy', 'src/proxy/stream', 'src/routes', 'src/scanner', 'src/observe']) {
    for (const name of readdirSync(join(process.cwd(), folder))) {
      if (!name.endsWith('.ts')) continue;
      const text = readFileSync(join(process.cwd(), folder, name), 'utf8');
      for (const [getter] of text.matchAll(/^ *get \w+\(\)/gm)) found.push(`${folder}/${name}: ${getter.trim()}`);
    }
  }
  assert.deepEqual(found, []);
});

test('a roster visits everybody who stays while others leave, and forgets who left', () => {
  for (const leaving of [[0], [4], [1, 3], [0, 1, 2, 3, 4], [4, 0, 2]]) {
    const roster = createRoster<{ name: number; index: number }>();
    const members = Array.from({ length: 5 }, (_, name) => ({ name, index: NOT_IN_ROSTER }));
    for (const member of members) roster.add(member);
    const seen = new Set<number>();
    roster.each((member) => {
      if (seen.size === 0) for (const index of leaving) assert.equal(roster.remove(members[index]!), true);
      seen.add(member.name);
    });
    assert.equal(roster.size(), 5 - leaving.length);
    for (const { name } of members)
      if (!leaving.includes(name)) assert.ok(seen.has(name), `${name} of ${leaving.join()}`);
    for (const index of leaving) assert.equal(roster.remove(members[index]!), false);
  }
});
