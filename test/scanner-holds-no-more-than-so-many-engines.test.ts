/** What the engine keeps of a pattern is memory that V8 does not see: it has a bound, and threads that are replaced leave none behind. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect, keepEngines } from '../src/detect/engines.ts';
import { createPool } from '../src/scanner/pool.ts';
import { loadSignatures } from '../src/signatures/load.ts';

const MOST = 384;

test('of engines that are asked one after the other only the last are held, and what was forgotten is given back', async () => {
  const alive: WeakRef<object>[] = [];
  const engines = keepEngines((number) => {
    const engine = { number };
    alive.push(new WeakRef(engine));
    return engine;
  }, MOST);
  for (let number = 0; number < 3000; number += 1) {
    assert.equal(engines.of(number), engines.of(number));
    engines.settle();
    // What a WeakRef was asked for, or made for, is held to the end of the turn.
    if (number % 100 === 0) await sleep(0);
  }
  await sleep(0);
  collect();
  const left = alive.filter((one) => one.deref() !== undefined).length;
  assert.ok(left <= MOST && left >= MOST / 2, `${left} of ${alive.length}`);
});

test('what is asked again and again is made once, whatever is asked in between', () => {
  let made = 0;
  const engines = keepEngines((number) => {
    if (number === 0) made += 1;
    return { number };
  }, MOST);
  for (let number = 1; number < 3000; number += 1) {
    engines.of(number);
    engines.of(0);
  }
  assert.equal(made, 1);
});

test('signatures that are replaced, each time all of them proven, leave no memory of theirs behind', async () => {
  const { signatures } = loadSignatures();
  const settings = { threads: 2, timeoutMs: 10_000, proof: 'whole' } as const;
  const { scanner, problems } = await createPool(signatures, settings, { worker: () => {}, log: () => {} });
  try {
    assert.deepEqual(problems, []);
    const after: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      assert.deepEqual(await scanner.replace(signatures.slice(round)), []);
      // The threads before leave in peace.
      await sleep(500);
      after.push(Math.round(process.memoryUsage.rss() / 1e6));
    }
    assert.ok(after[3]! - after[1]! < 200, `resident after each: ${after.join(', ')} MB`);
    assert.ok(after[3]! < 900, `resident after each: ${after.join(', ')} MB`);
    console.log(`# resident after each: ${after.join(', ')} MB`);
  } finally {
    await scanner.close();
  }
});
