/** Four bodies of eight megabytes at once once ended a process that was given half a gigabyte. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { JobOutcome } from '../src/domain/batch.ts';
import { createClock } from '../src/domain/clock.ts';
import { createRoster } from '../src/domain/roster.ts';
import { enforceDeadlines } from '../src/scanner/deadlines.ts';
import type { Generation, Task } from '../src/scanner/generation.ts';
import { roomForLargeBodies, roomForWaiting } from '../src/scanner/memory-room.ts';
import { generationWith, slowThreads, taskOf, turn } from './helpers/slow-threads.ts';

const MB = 1_048_576;

test('large bodies are read one after the other, and small ones pass them by', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation, settled } = generationWith(threads, () => 10 * MB);
  for (const bytes of [8 * MB, 7 * MB, 2000, 6 * MB]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[8 * MB], [2000]]);
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[8 * MB]], 'a thread is free, and memory is not');
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[7 * MB]]);
  atWork[0]!.end();
  atWork[0]!.end();
  assert.deepEqual(settled, [2000, 8 * MB, 7 * MB, 6 * MB]);
});

test('one that is larger than the room is read alone, and keeps no small one waiting', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation } = generationWith(threads, () => MB);
  for (const bytes of [9 * MB, 9 * MB, 2000]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[9 * MB], [2000]]);
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[2000], [9 * MB]]);
});

test('a compressed body takes its turn by how long it may be once it is unpacked, and goes alone', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation, settled } = generationWith(threads, () => 10 * MB);
  const packed = (bytes: number, plainBytes: number): Task => ({ ...taskOf(bytes, generation), plainBytes });
  for (const task of [packed(900, 9000), packed(18_000, 8 * MB), packed(13_000, 7 * MB), packed(1000, 10_000)])
    generation.take(task);
  await turn();
  assert.deepEqual(sizes(), [[900], [18_000]]);
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[18_000], [1000]], 'a thread is free, and memory is not');
  atWork[1]!.end();
  assert.deepEqual(sizes(), [[18_000]]);
  atWork[0]!.end();
  assert.deepEqual(sizes(), [[13_000]]);
  atWork[0]!.end();
  assert.deepEqual(settled, [900, 1000, 18_000, 13_000]);
});

test('where there is room, large ones are read side by side, but for one thread that is kept for others', async () => {
  const { threads, sizes } = slowThreads(3);
  const { generation } = generationWith(threads, () => 16 * MB);
  for (const bytes of [8 * MB, 8 * MB, 8 * MB]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[8 * MB], [8 * MB]]);
  generation.take(taskOf(2000, generation));
  await turn();
  assert.deepEqual(sizes(), [[8 * MB], [8 * MB], [2000]]);
});

test('the room is what memory leaves: one body of the limit at once in half a gigabyte, two in one', () => {
  const room = (limit: number, used: number): number => roomForLargeBodies(limit * MB, used * MB);
  assert.ok(room(512, 310) > 8 * MB && room(512, 310) < 16 * MB, String(room(512, 310)));
  assert.ok(room(1024, 310) > 20 * MB);
  assert.ok(room(512, 430) < 8 * MB, 'threads that have grown leave less');
  assert.equal(room(512, 600), 0);
  assert.ok(roomForWaiting(2, 512 * MB) >= 4 * 8 * MB && roomForWaiting(2, 512 * MB) < 40 * MB);
  assert.equal(roomForWaiting(2, 16_384 * MB), 64 * MB);
  assert.ok(roomForWaiting(8, 128 * MB) > 10 * MB);
});

test('the room is measured whenever the first large body begins, and holds until the last has ended', async () => {
  const rooms = [16 * MB, 4 * MB];
  const { threads, atWork, sizes } = slowThreads(3);
  const { generation } = generationWith(threads, () => rooms.shift()!);
  for (const bytes of [8 * MB, 8 * MB]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[8 * MB], [8 * MB]]);
  atWork[0]!.end();
  atWork[0]!.end();
  for (const bytes of [3 * MB, 3 * MB]) generation.take(taskOf(bytes, generation));
  await turn();
  assert.deepEqual(sizes(), [[3 * MB]]);
});

for (const [when, isProceeding, little] of [
  ['', false, 'timeout'],
  [', and neither is a little one where all threads work as they should', true, 'overloaded'],
] as const)
  test(`a large body that found no room in time is turned away, and not let through as a timeout is${when}`, async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const outcomes: [number, string][] = [];
      const tasks = createRoster<Task>();
      const waits = {
        isRunning: () => false,
        isProceeding: () => isProceeding,
        cancel: () => true,
      };
      const generation = waits as unknown as Generation;
      for (const bytes of [2 * MB, 300_000, 2000]) tasks.add({ ...taskOf(bytes, generation), queueBy: 0 });
      tasks.add({ ...taskOf(20_000, generation), plainBytes: 2 * MB, queueBy: 0 });
      const finish = (task: Task, { kind }: JobOutcome): void => {
        tasks.remove(task);
        outcomes.push([task.job.bytes.length, kind]);
      };
      const stop = enforceDeadlines(
        tasks,
        createClock(10),
        { finish, retry: () => false, hadCompany: () => true },
        () => {},
      );
      mock.timers.tick(20);
      await turn();
      stop();
      assert.deepEqual(outcomes.toSorted(), [
        [2000, little],
        [20_000, 'overloaded'],
        [2 * MB, 'overloaded'],
        [300_000, 'overloaded'],
      ]);
    } finally {
      mock.timers.reset();
    }
  });

test('what little comes while a thread reads what is little waits for it, and for nothing that is slow', async () => {
  const { threads, atWork, sizes } = slowThreads(2);
  const { generation, settled } = generationWith(threads);
  const take = async (...all: readonly number[]): Promise<void> => {
    for (const bytes of all) generation.take(taskOf(bytes, generation));
    await turn();
  };
  const clock = mock.method(performance, 'now', () => 0);
  try {
    await take(2000);
    await take(2001);
    assert.deepEqual(sizes(), [[2000]], 'the other thread sleeps on');
    atWork[0]!.end();
    assert.deepEqual(sizes(), [[2001]]);
    await take(9000, 8000);
    assert.equal(atWork.length, 2, 'that is worth a thread');
    while (atWork.length > 0) atWork[0]!.end();
    await take(2002);
    await take(2003);
    assert.deepEqual(sizes(), [[2002]]);
    clock.mock.mockImplementation(() => 10);
    generation.check(10);
    assert.deepEqual(sizes(), [[2002], [2003]], 'the first is late, and nobody waits for it');
    while (atWork.length > 0) atWork[0]!.end();
    await take(20_000);
    await take(2004);
    assert.deepEqual(sizes(), [[20_000], [2004]], 'a long one is not waited for');
    while (atWork.length > 0) atWork[0]!.end();
    assert.equal(settled.length, 8);
  } finally {
    clock.mock.restore();
  }
});
