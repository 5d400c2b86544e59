import assert from 'node:assert/strict';
import test from 'node:test';
import { createEvents } from '../src/control-plane/client-events.ts';
import { latencyBucket, LATENCY_BUCKETS, MAX_BATCH_TEXT, MAX_ROWS, readBatch } from '../src/control-plane/protocol.ts';
import { createTurns } from '../src/control-plane/server/turns.ts';
import { openExchange, type Exchange } from '../src/domain/exchange.ts';
import { CLEAN } from '../src/domain/verdict.ts';

function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    ...openExchange('request-id', 'trace-id', 'POST', 0),
    upstream: 'llm-a',
    path: '/llm-a/v1/secret-path',
    scanned: true,
    scanMs: 1,
    verdict: {
      ...CLEAN,
      action: 'block',
      category: 'jailbreak',
      signatureName: 'Name',
      signatureId: 'id',
      confidence: 0.9,
    },
    ...change,
  };
}

test('exchanges are counted by what was decided, and nothing else of them is kept', () => {
  const events = createEvents(() => {});
  for (let i = 0; i < 3; i += 1) events.observe(exchange());
  events.observe(exchange({ verdict: CLEAN }));
  events.observe(exchange({ shadow: { action: 'warn', category: 'jailbreak' } }));
  events.observe(exchange({ upstream: 'none', verdict: null, scanned: false }));
  assert.deepEqual(events.trafficSinceRestart(), { requests: 5, blocked: 4 });
  events.seal();
  const { batch, events: count } = events.next()!;
  assert.equal(count, 6);
  assert.deepEqual(
    batch.detections.map(({ hour: _hour, ...row }) => row),
    [
      { upstream: 'llm-a', category: 'jailbreak', action: 'block', signature: 'Name', shadow: false, count: 4 },
      { upstream: 'llm-a', category: 'none', action: 'allow', signature: '', shadow: false, count: 1 },
      { upstream: 'llm-a', category: 'jailbreak', action: 'warn', signature: '', shadow: true, count: 1 },
    ],
  );
  const text = JSON.stringify(batch);
  for (const word of ['secret-path', 'request-id', 'trace-id', 'POST']) assert.ok(!text.includes(word), word);
  assert.deepEqual(readBatch(JSON.parse(text)), batch, 'the other side reads what this side writes');
  events.restart();
  assert.deepEqual(events.trafficSinceRestart(), { requests: 0, blocked: 0 });
});

test('a signature with a name longer than events carry costs no other count', () => {
  const events = createEvents(() => {});
  const verdict = { ...exchange().verdict!, signatureName: `Says ${'x'.repeat(300)}` };
  events.observe(exchange({ verdict }));
  events.observe(exchange());
  events.seal();
  const read = readBatch(JSON.parse(JSON.stringify(events.next()!.batch)));
  assert.deepEqual(
    read?.detections.map(({ signature, count }) => [signature.length, count]),
    [
      [200, 1],
      [4, 1],
    ],
  );
});

test('more kinds of events than a batch holds are dropped and counted', () => {
  let told = 0;
  const events = createEvents((count) => (told += count), { rows: 10, batches: 3 });
  for (let i = 0; i < 50; i += 1) events.observe(exchange({ upstream: `u${i}`, scanned: false, scanMs: 0 }));
  assert.deepEqual([events.dropped(), told], [40, 40]);
});

test('times of scans for which there is no room are lost, too, and counted', () => {
  let told = 0;
  const events = createEvents((count) => (told += count), { rows: 1, batches: 3 });
  for (let i = 0; i < 5; i += 1) events.observe(exchange());
  assert.deepEqual([events.dropped(), told], [5, 5]);
  events.seal();
  assert.deepEqual(events.next()!.batch.latencies, []);
});

test('when batches are not taken the oldest goes, and its events are counted as lost', () => {
  const events = createEvents(() => {}, { rows: 10, batches: 3 });
  for (let batch = 1; batch <= 5; batch += 1) {
    for (let i = 0; i < batch; i += 1) events.observe(exchange({ scanned: false, scanMs: 0 }));
    events.seal();
  }
  assert.equal(events.dropped(), 1 + 2);
  const first = events.next()!;
  assert.equal(first.events, 3);
  events.taken(first);
  assert.equal(events.next()!.events, 4);
  events.refused(events.next()!);
  assert.equal(events.dropped(), 1 + 2 + 4);
  events.seal();
  assert.equal(events.next()!.events, 5);
  assert.notEqual(events.next()!.key, first.key);
});

test('the largest batch that may be sent is one that may be received', () => {
  const row = { hour: '2026-01-01T00:00:00.000Z', upstream: 'u'.repeat(64), category: 'c'.repeat(64) };
  const rest = { action: 'a'.repeat(64), signature: '\u{1f600}'.repeat(100), shadow: true, count: 1_000_000_000 };
  const batch = { detections: Array.from({ length: MAX_ROWS }, () => ({ ...row, ...rest })), latencies: [] };
  const text = JSON.stringify(batch);
  assert.ok(Buffer.byteLength(text) < MAX_BATCH_TEXT, String(Buffer.byteLength(text)));
  assert.equal(readBatch(JSON.parse(text))?.detections.length, MAX_ROWS);
  batch.detections.push(batch.detections[0]!);
  assert.equal(readBatch(batch), null);
});

test('a batch with one wrong field is refused as a whole', () => {
  const good = {
    hour: '2026-01-01T00:00:00.000Z',
    upstream: 'a',
    category: 'jailbreak',
    action: 'block',
    signature: 's',
    shadow: false,
    count: 1,
  };
  assert.ok(readBatch({ detections: [good], latencies: [] }) !== null);
  for (const wrong of [
    { hour: '2026-01-01' },
    { hour: "2026-01-01T00:00:00.000Z' or 1=1" },
    { upstream: '' },
    { upstream: 'x'.repeat(65) },
    { category: 'a b' },
    { action: { $gt: '' } },
    { signature: 's'.repeat(201) },
    { count: 1.5 },
    { count: -1 },
    { count: '1' },
    { count: 2 ** 60 },
  ])
    assert.equal(readBatch({ detections: [{ ...good, ...wrong }], latencies: [] }), null, JSON.stringify(wrong));
  for (const wrong of [null, [], 'x', {}, { detections: {}, latencies: [] }]) assert.equal(readBatch(wrong), null);
  const nul = readBatch({ detections: [{ ...good, signature: 'a\u0000b\ud800' }], latencies: [] });
  assert.equal(nul?.detections[0]!.signature, 'a b\ufffd', 'what a database cannot keep is replaced');
});

test('so many tasks run at a time, the rest wait, and a task that finds the queue full is told so', async () => {
  const inTurn = createTurns(2, 3);
  let at = 0;
  let most = 0;
  const work = async (): Promise<string> => {
    at += 1;
    most = Math.max(most, at);
    await new Promise((resolve) => setTimeout(resolve, 5));
    at -= 1;
    if (at === 0) throw new Error('one of them fails');
    return 'done';
  };
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => inTurn(work)));
  const answers = all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'));
  assert.equal(answers.filter((one) => one === null).length, 3);
  assert.equal(most, 2);
  assert.equal(await inTurn(async () => 'again'), 'again', 'a failure gives its place back');
});

/** The upper bound in milliseconds, as the page computes it. */
const latencyOf = (bucket: number): number => 0.016 * 2 ** bucket;

test('a latency falls into the bucket whose bound is the first not below it', () => {
  for (const ms of [0, 0.01, 0.016, 0.02, 0.5, 1, 12, 900, 65_000, 1e9, NaN]) {
    const bucket = latencyBucket(ms);
    assert.ok(Number.isInteger(bucket) && bucket >= 0 && bucket < LATENCY_BUCKETS, String(ms));
    if (ms > 0.016 && bucket < LATENCY_BUCKETS - 1) {
      assert.ok(ms <= latencyOf(bucket) * 1.0001 && ms > latencyOf(bucket - 1) * 0.9999, String(ms));
    }
  }
});
