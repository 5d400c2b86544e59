import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { checkedAs } from '../helpers/checked-as.ts';
import { startGuard, type Guard } from '../helpers/guard.ts';
import { freePort } from './processes.ts';

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  for await (const chunk of redis.stdout!) {
    said += String(chunk);
    if (said.includes('Ready to accept connections')) break;
  }
  redis.stdout!.resume();
  return redis;
}

async function stop(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  redis.kill('SIGKILL');
  await once(redis, 'exit');
}

test('two instances count one client together, go on alone while Redis is away, and meet again when it is back', async (t) => {
  const port = await freePort();
  let redis = await startRedis(port);
  const config = {
    server: { trusted_proxies: ['127.0.0.1'] },
    rate_limit: { check: { points: 10, per_s: 600 }, store: `redis://127.0.0.1:${port}/0` },
  };
  const guards = await Promise.all([startGuard({ config }), startGuard({ config })]);
  t.after(async () => {
    await Promise.all(guards.map((guard) => guard.close()));
    await stop(redis);
  });
  const [a, b] = guards as [Guard, Guard];
  await until(async () => a.logs().some((line) => line.includes('rate limit store connected')));
  await until(async () => b.logs().some((line) => line.includes('rate limit store connected')));

  const together: number[] = [];
  for (let i = 0; i < 12; i += 1) together.push(await checkedAs(i % 2 === 0 ? a : b, '192.0.2.1'));
  assert.deepEqual(together, [...Array<number>(10).fill(200), 429, 429]);

  // Under load: nothing may fail or wait while the store goes away and comes back.
  const statuses = new Map<number, number>();
  let slowest = 0;
  let running = true;
  const load = Promise.all(
    [a, b].map(async (guard, lane) => {
      for (let i = 0; running; i += 1) {
        const startedAt = performance.now();
        const status = await checkedAs(guard, `198.51.100.${lane * 100 + (i % 100)}`);
        slowest = Math.max(slowest, performance.now() - startedAt);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(5);
      }
    }),
  );
  await sleep(500);
  await stop(redis);
  await sleep(1000);
  const alone: number[] = [];
  for (let i = 0; i < 12; i += 1) alone.push(await checkedAs(a, '192.0.2.2'));
  assert.deepEqual(alone, [...Array<number>(10).fill(200), 429, 429], 'the memory counts while the store is away');
  assert.equal(await checkedAs(b, '192.0.2.2'), 200, 'each instance alone');
  assert.equal((await fetch(`${a.url}/readyz`)).status, 200, 'readiness does not depend on the store');

  redis = await startRedis(port);
  await until(async () => a.logs().filter((line) => line.includes('rate limit store connected')).length === 2);
  await until(async () => b.logs().filter((line) => line.includes('rate limit store connected')).length === 2);
  const again: number[] = [];
  for (let i = 0; i < 12; i += 1) again.push(await checkedAs(i % 2 === 0 ? a : b, '192.0.2.3'));
  assert.deepEqual(again, [...Array<number>(10).fill(200), 429, 429]);

  running = false;
  await load;
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 429),
    [],
  );
  assert.ok(slowest < 1500, `slowest answer ${slowest.toFixed(0)} ms`);
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('not within ten seconds');
    await sleep(50);
  }
}
