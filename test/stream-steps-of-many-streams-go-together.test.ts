import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSharedTimer } from '../src/proxy/stream/shared-timer.ts';

test('what waits for about the same moment is done at the same moment, and never too soon', async () => {
  const beat = createSharedTimer(100);
  const done: { late: number; turn: number }[] = [];
  let turn = 0;
  for (let i = 0; i < 20; i += 1) {
    const dueAt = performance.now() + 60;
    beat.after(60, () => {
      // The turn ends before anything else is done: the same for all that are done in it.
      const mine = turn;
      queueMicrotask(() => (turn = mine + 1));
      done.push({ late: performance.now() - dueAt, turn: mine });
    });
    await sleep(5);
  }
  await sleep(400);
  assert.equal(done.length, 20);
  // A timer of Node's may be early by its rounding.
  for (const { late } of done) assert.ok(late > -3, `${late}`);
  const turns = new Set(done.map((one) => one.turn));
  assert.ok(turns.size < 8, `${turns.size} turns`);
});

test('what was taken back is not done, and the others of its beat are', async () => {
  const beat = createSharedTimer(20);
  const done: string[] = [];
  beat.after(1, () => done.push('first'));
  const takeBack = beat.after(1, () => done.push('second'));
  beat.after(1, () => done.push('third'));
  takeBack();
  takeBack();
  await sleep(120);
  assert.deepEqual(done, ['first', 'third']);
});

test('what is begun in a beat waits for one of its own', async () => {
  const beat = createSharedTimer(20);
  const at: number[] = [];
  beat.after(1, () => {
    at.push(performance.now());
    beat.after(30, () => at.push(performance.now()));
  });
  await sleep(300);
  assert.equal(at.length, 2);
  assert.ok(at[1]! - at[0]! > 25, `${at[1]! - at[0]!}`);
});

test('one may take back another that waits for the same beat', async () => {
  const beat = createSharedTimer(20);
  const done: string[] = [];
  let takeBack = (): void => {};
  beat.after(1, () => {
    done.push('first');
    takeBack();
  });
  takeBack = beat.after(1, () => done.push('second'));
  await sleep(120);
  assert.deepEqual(done, ['first']);
});
