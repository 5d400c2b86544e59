/** New calls and the answers to those before them wait apart: however much there is of the one, the other moves. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { FRESH_STREAM, type StreamJob } from '../src/domain/stream.ts';
import { createAdmission, laneOf, queueTargetFor, type Lane } from '../src/scanner/admission.ts';
import { createPool } from '../src/scanner/pool.ts';
import type { Scanner } from '../src/scanner/scanner.ts';
import { chosenSignatures } from '../src/signatures/choose.ts';
import { chatJob } from './helpers/chat-job.ts';

const bytes = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a word "}}]}\n\n');

const step: StreamJob = {
  path: '/v1/chat/completions',
  kind: 'sse',
  bytes,
  ends: [bytes.length],
  last: false,
  state: FRESH_STREAM,
  maskFrom: null,
  maskedSignatures: [],
  forbidden: null,
};

const scan = chatJob('{"messages":[{"role":"user","content":"hello"}]}');

/** One thread, which takes ten milliseconds for whatever it is given. */
async function slowScanner(t: TestContext, faults: Readonly<Record<string, unknown>> = {}): Promise<Scanner> {
  const { signatures } = chosenSignatures({ paths: [], disabled: [] });
  const { scanner, problems } = await createPool(
    signatures.slice(0, 5),
    { threads: 1, timeoutMs: 30_000, faults: { slow: 10, ...faults } },
    { worker: () => {}, log: () => {} },
  );
  assert.deepEqual(problems, []);
  t.after(() => scanner.close());
  return scanner;
}

interface Crowd {
  /** How many were answered, and how many were turned away. */
  readonly answered: () => number;
  readonly shed: () => number;
  stop(): Promise<void>;
}

/** Many that come again as soon as they were answered, and a moment after they were turned away. */
function crowd(t: TestContext, size: number, ask: () => Promise<{ readonly kind: string }>): Crowd {
  let on = true;
  let answered = 0;
  let shed = 0;
  const all = Array.from({ length: size }, async () => {
    while (on) {
      const { kind } = await ask();
      // The scanner was closed before the crowd was stopped.
      if (kind === 'error') break;
      if (kind !== 'overloaded') answered += 1;
      else {
        shed += 1;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  });
  const stop = async (): Promise<void> => {
    on = false;
    await Promise.all(all);
  };
  // Also when the test fails: a crowd that goes on keeps the process from ending.
  t.after(stop);
  return { answered: () => answered, shed: () => shed, stop };
}

const SIDES = {
  'calls beside a crowd of streams': { many: 'stream', few: 'scan' },
  'streams beside a crowd of calls': { many: 'scan', few: 'stream' },
} as const;

for (const [name, { many, few }] of Object.entries(SIDES)) {
  test(`${name} are not turned away, and wait for less than the crowd does`, async (t) => {
    const scanner = await slowScanner(t);
    const ask = {
      scan: () => scanner.scan(scan),
      stream: () => scanner.stream(step),
    };
    const others = crowd(t, 200, ask[many]);
    await ask[many]();
    const took: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const since = performance.now();
      const { kind } = await ask[few]();
      took.push(performance.now() - since);
      assert.equal(kind, few === 'scan' ? 'report' : 'step');
    }
    assert.ok(others.shed() > 0, 'the crowd is more than is admitted');
    assert.ok(others.answered() > 12, `the crowd moves as well: ${others.answered()}`);
    // At least 64 of the crowd are always before it in time, which is 640 ms; one batch of them is 80.
    const median = took.sort((a, b) => a - b)[6]!;
    assert.ok(median < 320, `${median.toFixed(0)} ms`);
    await others.stop();
  });
}

test('a step that hangs the only thread costs the calls beside it time and none of them its verdict', async (t) => {
  const { signatures } = chosenSignatures({ paths: [], disabled: [] });
  const { scanner } = await createPool(
    signatures.slice(0, 5),
    { threads: 1, timeoutMs: 6000, faults: { hang: 1, at: [1] } },
    { worker: () => {}, log: () => {} },
  );
  t.after(() => scanner.close());
  const hung = scanner.stream(step);
  assert.deepEqual(await hung, { kind: 'timeout', phase: 'run' });
  const late = await Promise.all(Array.from({ length: 8 }, () => scanner.scan(scan)));
  assert.deepEqual(new Set(late.map(({ kind }) => kind)), new Set(['report']));
});

test('each lane has a bound of its own by number and by bytes, and a single body always fits', () => {
  const admission = createAdmission(4096, { threads: 1, bytes: 67_108_864, queueMs: 50 });
  const enter = (lane: Lane, size: number): boolean => {
    const admitted = admission.admits(lane, size);
    if (admitted) admission.entered(lane, size);
    return admitted;
  };
  let steps = 0;
  while (enter('answers', 10)) steps += 1;
  assert.ok(steps >= 64 && steps < 4096, String(steps));
  for (const lane of ['calls', 'bulk'] as const) {
    assert.ok(enter(lane, 50_000_000));
    assert.ok(!enter(lane, 50_000_000));
    admission.left(lane, 50_000_000);
    assert.ok(enter(lane, 100_000_000));
    admission.left(lane, 100_000_000);
  }
  // Expensive jobs wait in smaller numbers, which says nothing about the other lanes.
  const quick = createAdmission(4096, { threads: 4, bytes: 67_108_864, queueMs: 50 });
  const many = (lane: Lane): number => {
    let count = 0;
    for (; quick.admits(lane, 1); count += 1) quick.entered(lane, 1);
    return count;
  };
  for (let n = 0; n < 400; n += 1) quick.measured('calls', 0.1);
  for (let n = 0; n < 400; n += 1) quick.measured('answers', 100);
  assert.equal(many('answers'), 64);
  assert.ok(many('calls') > 1000);
});

test('as much is admitted as can begin before its waiting is given up, and no more than in a fifth of a second', () => {
  assert.equal(queueTargetFor(500), 200);
  assert.equal(queueTargetFor(60_000), 200);
  assert.ok(queueTargetFor(100) < 50);
});

test('a burst of a thousand short calls is scanned and not turned away', async (t) => {
  const { signatures } = chosenSignatures({ paths: [], disabled: [] });
  const { scanner } = await createPool(
    signatures,
    { threads: 2, timeoutMs: 5000 },
    { worker: () => {}, log: () => {} },
  );
  t.after(() => scanner.close());
  for (let n = 0; n < 200; n += 1) await scanner.scan(scan);
  // How many are admitted is what was measured of the scans before: of a machine that stood still meanwhile, another burst tells more.
  const bursts: number[] = [];
  while (bursts.length < 3 && !bursts.includes(1000)) {
    const all = await Promise.all(Array.from({ length: 1000 }, () => scanner.scan(scan)));
    bursts.push(all.filter(({ kind }) => kind === 'report').length);
  }
  assert.ok(bursts.includes(1000), `${bursts.join(', ')} of a thousand`);
});

test('short calls are scanned beside a crowd of large ones, on a thread that is kept for them', async (t) => {
  const { signatures } = chosenSignatures({ paths: [], disabled: [] });
  const { scanner } = await createPool(
    signatures.slice(0, 5),
    { threads: 2, timeoutMs: 5000, faults: { slow: 100 } },
    { worker: () => {}, log: () => {} },
  );
  t.after(() => scanner.close());
  const content = 'word '.repeat(100_000);
  const large = { ...scan, bytes: Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] })) };
  const others = crowd(t, 20, () => scanner.scan(large));
  await scanner.scan(large);
  const before = others.answered();
  const calls = 10;
  for (let n = 0; n < calls; n += 1) assert.equal((await scanner.scan(scan)).kind, 'report');
  const meanwhile = others.answered() - before;
  // All take the same time. Without a thread of their own, two large bodies would end for each short call.
  assert.ok(meanwhile <= 1.5 * calls, `${meanwhile} large bodies beside ${calls} short calls`);
});

test('what is scanned on its way back is an answer, whole or in steps; all else is a call', () => {
  assert.equal(laneOf('stream', step), 'answers');
  assert.equal(laneOf('scan', { ...scan, direction: 'response' }), 'answers');
  assert.equal(laneOf('scan', scan), 'calls');
  assert.equal(laneOf('scan', { ...scan, bytes: Buffer.alloc(300_000) }), 'bulk');
  assert.equal(laneOf('scan', { ...scan, bytes: Buffer.alloc(300_000), direction: 'response' }), 'answers');
  assert.equal(laneOf('check', scan), 'calls');
});
