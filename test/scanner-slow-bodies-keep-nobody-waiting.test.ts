/**
 * A text that was made to be slow takes a hundred times as long as an ordinary one of its size. Four senders of such texts
 * once had four of five calls of everybody else refused.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooser, phrasesOf, repeated } from '../src/detect/prove/hostile.ts';
import { patienceFor } from '../src/scanner/patience.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startRecorder } from './helpers/recorder.ts';
import { generationWith, slowThreads, taskOf, turn } from './helpers/slow-threads.ts';
import { compileAsBuilt } from './helpers/compile-as-built.ts';

const KB = 1024;
/** Longer than a body of any size in this file may take while others wait. */
const longer = (): Promise<void> => sleep(patienceFor(30 * KB, 0) + 20);

test('a slow body becomes a bulky one on its thread, so that the others are kept for short ones', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation } = generationWith(threads);
  generation.take(taskOf(30 * KB, generation));
  await turn();
  atWork[0]!.begin();
  await longer();
  generation.take(taskOf(20 * KB, generation));
  generation.take(taskOf(2000, generation));
  await turn();
  generation.check(performance.now());
  assert.deepEqual(sizes(), [[30 * KB], [20 * KB]]);
  // One of megabytes would take the other thread if the slow one did not count.
  generation.take(taskOf(900 * KB, generation));
  await turn();
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[30 * KB], [2000]]);
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[30 * KB]]);
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[900 * KB]]);
});

test('short bodies that lately took long are shared among the threads, and those that did not stay together', async () => {
  for (const [scanMs, shared] of [
    [0.3, [[1, 2, 3, 4]]],
    [3, [[1, 2], [3]]],
  ] as const) {
    const { threads, atWork, sizes } = slowThreads(2, scanMs);
    const { generation } = generationWith(threads);
    for (let round = 0; round < 30; round += 1) {
      generation.take(taskOf(1, generation));
      await turn();
      atWork[0]!.end();
    }
    for (const bytes of [1, 2, 3, 4]) generation.take(taskOf(bytes, generation));
    await turn();
    assert.deepEqual(sizes(), shared, `${scanMs} ms each`);
    while (atWork.length > 0) atWork[0]!.end();
    // The same where they come one after the other.
    generation.take(taskOf(1, generation));
    await turn();
    generation.take(taskOf(2, generation));
    await turn();
    assert.equal(atWork.length, shared.length);
    while (atWork.length > 0) atWork[0]!.end();
  }
});

test('where bulky bodies have their threads already, a slow one is stopped for a short one, and begins again later', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation, settled } = generationWith(threads);
  generation.take(taskOf(900 * KB, generation));
  generation.take(taskOf(30 * KB, generation));
  await turn();
  atWork[0]!.begin();
  atWork[1]!.begin();
  await longer();
  generation.check(performance.now());
  generation.take(taskOf(2000, generation));
  await turn();
  generation.check(performance.now());
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[900 * KB], [2000]]);
  assert.deepEqual(settled, [], 'it has no outcome yet');
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[900 * KB]], 'it does not take the thread that is kept for others');
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[30 * KB]]);
  atWork[0]!.end();
  assert.deepEqual(settled, [2000, 900 * KB, 30 * KB]);
});

test('a slow body is left alone while nobody waits, and on a single thread', async () => {
  for (const [count, others] of [
    [1, [2000]],
    [2, []],
  ] as const) {
    const { threads, atWork } = slowThreads(count);
    const { generation, settled } = generationWith(threads);
    generation.take(taskOf(900 * KB, generation));
    if (count === 2) generation.take(taskOf(30 * KB, generation));
    await turn();
    for (const work of atWork) work.begin();
    await longer();
    for (const bytes of others) generation.take(taskOf(bytes, generation));
    await turn();
    generation.check(performance.now());
    for (const work of atWork.slice()) work.end();
    assert.equal(settled.length, count, 'each had its outcome the first time');
  }
});

test('one in a batch is stopped for those behind it, which keep their outcomes', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation, settled } = generationWith(threads);
  generation.take(taskOf(900 * KB, generation));
  for (const bytes of [3000, 2000, 1000]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[900 * KB], [3000, 2000, 1000]]);
  atWork[1]!.begin(1);
  await longer();
  generation.take(taskOf(500, generation));
  await turn();
  generation.check(performance.now());
  atWork[1]!.end();
  assert.deepEqual(settled, [3000, 1000]);
  assert.deepEqual(sizes(), [[900 * KB], [500]]);
});

test('the more slow bodies wait, the less a further one may take, and never less than a short one needs', () => {
  assert.ok(patienceFor(200 * KB, 0) > 50);
  assert.ok(patienceFor(200 * KB, 20) < 15);
  assert.ok(patienceFor(100, 1000) >= 10);
});

/** Texts of 200 KB that take a second or more each. Made beforehand: the main thread of guard runs in this process, too. */
function slowTexts(count: number): string[] {
  const compiled = compileAsBuilt(loadSignatures().signatures, DECODERS);
  assert.ok('ruleset' in compiled);
  const { ruleset } = compiled;
  const pick = chooser(11);
  const phrases = ruleset.rules.flatMap((rule) => phrasesOf(ruleset, rule)['broken off'] ?? []);
  return Array.from({ length: count }, () => repeated(() => phrases[pick(phrases.length)]!(pick), 200 * KB));
}

async function guardWith(t: TestContext, threads: number) {
  const upstream = await startRecorder({ body: ['{}'], headers: { 'content-type': 'application/json' } });
  const guard = await startGuard({
    upstreams: { 'llm-a': { url: upstream.url } },
    config: { scanner: { threads } },
  });
  t.after(async () => {
    await guard.close();
    await upstream.close();
  });
  const send = async (content: string, signal: AbortSignal | null = null): Promise<number> => {
    const response = await fetch(`${guard.url}/llm-a/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  };
  for (let n = 0; n < 50; n += 1) assert.equal(await send(`What does ${n} times seven make?`), 200);
  return { guard, upstream, send };
}

test('four senders of slow texts have next to no call of others refused, and no text of theirs comes through', async (t) => {
  const texts = slowTexts(12);
  const { send } = await guardWith(t, 2);
  let on = true;
  const slow: number[] = [];
  const senders = Array.from({ length: 4 }, async (_, first) => {
    for (let n = first; on; n += 4) {
      const status = await send(texts[n % texts.length]!);
      slow.push(status);
      if (status === 503) await sleep(20);
    }
  });
  await sleep(500);
  const others: Promise<number>[] = [];
  for (let n = 0; n < 100; n += 1) {
    others.push(send(`Which town has the post code ${n}, and who lives there?`));
    await sleep(20);
  }
  const answered = (await Promise.all(others)).filter((status) => status === 200).length;
  on = false;
  await Promise.all(senders);
  assert.ok(answered >= 90, `${answered} of 100 were answered`);
  assert.ok(slow.length > 0 && !slow.includes(200), `slow ones: ${[...new Set(slow)].join(', ')}`);
});

test('the scan of a client that has left is ended, and what it still had waiting is dropped', async (t) => {
  const texts = slowTexts(8);
  const { guard, upstream, send } = await guardWith(t, 1);
  const before = upstream.requests.length;
  const times: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const leaving = new AbortController();
    const left = texts.map((text) => send(text, leaving.signal).catch(() => 'left'));
    while ((await depthOf(guard)) < texts.length - 1) await sleep(5);
    leaving.abort();
    assert.deepEqual(new Set(await Promise.all(left)), new Set(['left']));
    await sleep(100);
    const since = performance.now();
    assert.equal(await send('Who comes after those who have left?'), 200);
    times.push(performance.now() - since);
    const metrics = await guard.metrics();
    assert.match(metrics, new RegExp(`guard_scans_total\\{scanner="pipeline",result="abandoned"\\} ${8 * round}\n`));
    assert.equal(upstream.requests.length, before + round, 'nothing of those who left was sent');
  }
  // Each of the eight would take a second, and be given up after a quarter of it, in every round.
  assert.ok(Math.min(...times) < 240, `${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
});

async function depthOf(guard: Guard): Promise<number> {
  return Number(/^guard_scan_queue_depth (\d+)/m.exec(await guard.metrics())![1]);
}
