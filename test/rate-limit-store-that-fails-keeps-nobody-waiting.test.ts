/** A shared limit whose Redis hangs, answers with errors or breaks off. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkedAs } from './helpers/checked-as.ts';
import { startGuard, type Guard } from './helpers/guard.ts';
import { startPuppetRedis, type PuppetRedis } from './helpers/puppet-redis.ts';

const UP = 'rate limit store connected';
const AWAY = 'rate limit store is away, each instance counts alone';

async function guardWith(t: TestContext, points: number): Promise<{ guard: Guard; redis: PuppetRedis }> {
  const redis = await startPuppetRedis();
  t.after(() => redis.close());
  const guard = await startGuard({
    config: {
      server: { trusted_proxies: ['127.0.0.1'] },
      scanner: { enabled: false },
      security: { failure_mode: 'open' },
      rate_limit: { check: { points, per_s: 600 }, store: redis.url },
    },
  });
  t.after(() => guard.close());
  await until(() => storeLines(guard).length === 1);
  return { guard, redis };
}

/** What the log says of the store, with the code of a fault. */
function storeLines(guard: Guard): string[] {
  return guard
    .logs()
    .map((line) => JSON.parse(line) as { msg: string; error_code?: string })
    .filter(({ msg }) => msg === UP || msg === AWAY)
    .map(({ msg, error_code }) => (error_code === undefined ? msg : `${msg} (${error_code})`));
}

async function statuses(guard: Guard, client: string, times: number): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) all.push(await checkedAs(guard, client));
  return all;
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('not within ten seconds');
    await sleep(50);
  }
}

const counted = ({ counts }: PuppetRedis): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

test('one call in seconds waits for a store that hangs, the log says so, and nothing is counted twice afterwards', async (t) => {
  const { guard, redis } = await guardWith(t, 50);
  assert.equal(await checkedAs(guard, '192.0.2.1'), 200);
  assert.equal(counted(redis), 1);

  redis.hang();
  let calls = 0;
  const end = performance.now() + 5000;
  while (performance.now() < end) {
    assert.equal(await checkedAs(guard, `198.51.100.${calls % 20}`), 200);
    calls += 1;
    await sleep(10);
  }
  // Only a call that asks the store waits for it.
  assert.ok(calls > 10 && redis.asked() <= 1 + 3, `${redis.asked()} of ${calls} calls waited`);
  assert.deepEqual(storeLines(guard), [UP, `${AWAY} (ETIMEDOUT)`]);
  assert.deepEqual(await statuses(guard, '192.0.2.2', 51), [...Array<number>(50).fill(200), 429], 'it counts alone');

  redis.goOn();
  await until(() => storeLines(guard).length === 3);
  assert.equal(storeLines(guard)[2], UP);
  assert.ok(counted(redis) <= 4, `${counted(redis)} calls were counted once more`);
  const before = counted(redis);
  assert.equal(await checkedAs(guard, '192.0.2.1'), 200);
  assert.equal(counted(redis), before + 1, 'and together again');
});

test('a store that breaks off in the middle of a call is not sent that call again', async (t) => {
  const { guard, redis } = await guardWith(t, 50);
  redis.hang();
  const pending = Array.from({ length: 20 }, () => checkedAs(guard, '192.0.2.1'));
  await until(() => redis.asked() === 20);
  redis.restart();
  for (const status of await Promise.all(pending)) assert.equal(status, 200);
  await until(() => storeLines(guard).length === 3);
  await sleep(100);
  assert.equal(redis.asked(), 20);
  assert.equal(await checkedAs(guard, '192.0.2.1'), 200);
  assert.equal(counted(redis), 1);
});

test('a store that answers with errors is told from one that counts, until it counts again', async (t) => {
  for (const fault of ['OOM', 'READONLY', 'NOPERM', 'CLUSTERDOWN']) {
    const { guard, redis } = await guardWith(t, 2);
    redis.refuse(`${fault} of which the rest may name somebody`);
    assert.deepEqual(await statuses(guard, '192.0.2.1', 4), [200, 200, 429, 429], 'it counts alone');
    assert.deepEqual(storeLines(guard), [UP, `${AWAY} (${fault})`]);
    redis.refuse(null);
    await until(async () => {
      await checkedAs(guard, '192.0.2.1');
      return storeLines(guard).length === 3;
    });
    assert.equal(storeLines(guard)[2], UP);
    assert.doesNotMatch(guard.logs().join('\n'), /somebody/);
  }
});

test('clients over their limit do not keep it from being found out that the store counts again', async (t) => {
  const { guard, redis } = await guardWith(t, 2);
  assert.deepEqual(await statuses(guard, '192.0.2.1', 4), [200, 200, 429, 429]);
  redis.refuse('OOM');
  assert.equal(await checkedAs(guard, '192.0.2.2'), 200);
  redis.refuse(null);
  await until(async () => {
    for (let i = 0; i < 5; i += 1) await checkedAs(guard, '192.0.2.1');
    await checkedAs(guard, '192.0.2.2');
    return storeLines(guard).length === 3;
  });
});
