/** Threads that do not answer are replaced. Those that are reading a body cannot answer, and must not be. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { Generation } from '../src/scanner/generation.ts';
import { createWatchdog } from '../src/scanner/watchdog.ts';

/** Idle threads that never answer. `onPing` is called when they are asked. */
function watched(
  t: TestContext,
  onPing: () => void,
  { ready = (): number => 2, answers = false } = {},
): { readonly sent: { count: number }; readonly replaced: string[] } {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const sent = { count: 0 };
  const replaced: string[] = [];
  const ping = (): Promise<never> => {
    onPing();
    return answers ? (Promise.resolve() as Promise<never>) : new Promise(() => {});
  };
  const generation = {
    threads: { alive: () => 2, wanted: () => 2, ready, ping },
    isBusy: () => false,
    batchesSent: () => sent.count,
  } as unknown as Generation;
  const watchdog = createWatchdog({
    current: () => generation,
    endStuck: () => false,
    killed() {},
    replace: (why) => void replaced.push(why),
  });
  t.after(() => watchdog.stop());
  return { sent, replaced };
}

async function pass(t: TestContext, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 1) {
    t.mock.timers.tick(1000);
    // What waits for an answer is told that it is late.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
}

test('idle threads that do not answer twice in a row are replaced', async (t) => {
  const { replaced } = watched(t, () => {});
  await pass(t, 5);
  assert.deepEqual(replaced.slice(0, 1), ['threads do not answer']);
});

test('threads that are given a body each time before they could answer are not replaced', async (t) => {
  const given = watched(t, () => (given.sent.count += 1));
  await pass(t, 20);
  assert.deepEqual(given.replaced, []);
});

test('threads of which one does not take work again within half a minute are replaced, and no sooner', async (t) => {
  const { replaced } = watched(t, () => {}, { ready: () => 1, answers: true });
  await pass(t, 29);
  assert.deepEqual(replaced, []);
  await pass(t, 2);
  assert.deepEqual(replaced, ['a thread does not come back']);
});

test('a thread that takes its time to start again costs nobody the others', async (t) => {
  let seconds = 0;
  const { replaced } = watched(t, () => (seconds += 1), { ready: () => (seconds % 20 === 0 ? 2 : 1), answers: true });
  await pass(t, 120);
  assert.deepEqual(replaced, []);
});
