/** What the engine keeps of a pattern is memory that V8 does not see: it has a bound, and threads that are replaced leave none behind. */
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import RE2 from 're2';
import { collect, keepEngines } from '../src/detect/engine/engines.ts';
import { isMemoryShort } from '../src/domain/memory.ts';
import { createPool } from '../src/scanner/pool.ts';
import { createSets, type Sets } from '../src/detect/engine/sets.ts';
import { loadSignatures } from '../src/signatures/load.ts';

function counted(): { readonly alive: WeakRef<object>[]; readonly make: (number: number) => object } {
  const alive: WeakRef<object>[] = [];
  return {
    alive,
    make(number) {
      const engine = { number };
      alive.push(new WeakRef(engine));
      return engine;
    },
  };
}

/** What a WeakRef was made for is held to the end of the turn. */
async function left(alive: readonly WeakRef<object>[]): Promise<number> {
  await sleep(0);
  collect();
  return alive.filter((one) => one.deref() !== undefined).length;
}

test('engines that nobody asked for in a minute are given back, and those that somebody did are not made anew', async () => {
  let time = 0;
  const { alive, make } = counted();
  const engines = keepEngines(make, () => time);
  for (let number = 0; number < 1000; number += 1) engines.of(number);
  for (let half = 1; half <= 4; half += 1) {
    time = half * 30_000;
    engines.settle();
    for (let number = 0; number < 200; number += 1) engines.of(number);
  }
  assert.equal(alive.length, 1000, 'none of those that are asked again was made twice');
  assert.equal(await left(alive), 200);
});

test('however many a text asks for, each is made once while it is read, and while its like are', async () => {
  let time = 0;
  const { alive, make } = counted();
  const engines = keepEngines(make, () => time);
  for (let text = 0; text < 10; text += 1) {
    for (let number = 0; number < 4000; number += 1) engines.of(number);
    time += 1000;
    engines.settle();
  }
  assert.equal(alive.length, 4000);
  engines.forget();
  assert.equal(await left(alive), 0);
});

test('where memory is short all are given back, though they were asked for just now', async () => {
  let time = 0;
  let isShort = false;
  const { alive, make } = counted();
  const engines = keepEngines(
    make,
    () => time,
    () => isShort,
  );
  const text = (): void => {
    for (let number = 0; number < 1000; number += 1) engines.of(number);
    engines.settle();
  };
  for (; time < 10_000; time += 500) text();
  assert.equal(await left(alive), 1000);
  isShort = true;
  text();
  assert.equal(await left(alive), 0);
  time += 500;
  for (let number = 0; number < 200; number += 1) engines.of(number);
  engines.settle();
  assert.equal(await left(alive), 200, 'it is not looked for again at once');
  for (let number = 200; number < 300; number += 1) engines.of(number);
  engines.settle();
  assert.equal(await left(alive), 0, 'but when many were made since');
});

test('a process that uses more than three quarters of its memory is short of it', () => {
  const bound = mock.method(process, 'constrainedMemory', () => 1.5 * process.memoryUsage.rss());
  assert.equal(isMemoryShort(), false);
  bound.mock.mockImplementation(() => 1.25 * process.memoryUsage.rss());
  assert.equal(isMemoryShort(), true);
  bound.mock.restore();
});

test('one that is always asked for is made anew every ten minutes, for what it keeps only grows', () => {
  let time = 0;
  const { alive, make } = counted();
  const engines = keepEngines(make, () => time);
  for (let half = 0; half < 40; half += 1) {
    for (let number = 0; number < 200; number += 1) engines.of(number);
    time += 30_000;
    engines.settle();
  }
  assert.equal(alive.length, 400);
});

test('what else keeps states is dropped with the engines, and every ten minutes even where there are few', () => {
  let time = 0;
  let drops = 0;
  const engines = keepEngines(counted().make, () => time);
  engines.withThem(() => (drops += 1));
  engines.of(1);
  for (; time < 590_000; time += 10_000) engines.settle();
  assert.equal(drops, 0);
  for (; time <= 600_000; time += 10_000) engines.settle();
  assert.equal(drops, 1);
  engines.forget();
  assert.equal(drops, 2);
});

test('sets that are made when they are asked are made anew after their memory was given back', (t) => {
  const { Set: RealSet } = RE2;
  let made = 0;
  RE2.Set = function counting(...given: ConstructorParameters<typeof RealSet>) {
    made += 1;
    return new RealSet(...given);
  } as unknown as typeof RealSet;
  t.after(() => (RE2.Set = RealSet));
  const found = (sets: Sets | null): number[] => {
    const members: number[] = [];
    sets?.match(Buffer.from('apples and pears'), (member) => members.push(member));
    return members.sort();
  };
  const sets = createSets(['pears', 'plums', 'apples'], 'iu', { size: 2, isTaken: () => true });
  assert.equal(made, 0);
  assert.deepEqual(
    [found(sets), found(sets)],
    [
      [0, 2],
      [0, 2],
    ],
  );
  assert.equal(made, 2);
  sets?.forget();
  assert.deepEqual([found(sets), made], [[0, 2], 4]);
  const untried = createSets(['pears'], 'iu');
  untried?.forget();
  assert.deepEqual([found(untried), made], [[0], 5]);
});

test('signatures that are replaced, each time all of them proven, leave no memory of theirs behind', async () => {
  // A third of them: what a pattern leaves behind it leaves behind a round, and to prove all takes minutes on a slow machine.
  const signatures = loadSignatures().signatures.filter((_, at) => at % 3 === 0);
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
