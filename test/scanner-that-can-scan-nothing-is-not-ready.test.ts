/**
 * Threads that start and then fail in every scan. A balancer must notice, and nobody who merely sends texts that fail may
 * make it believe so.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDoubt } from '../src/scanner/doubt.ts';
import type { OurResult } from '../src/scanner/our-text.ts';
import { FEW_SIGNATURES } from './helpers/few-signatures.ts';
import { startGuard, type Guard, type GuardOptions } from './helpers/guard.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

async function guardWith(t: TestContext, faults: NonNullable<GuardOptions['faults']>): Promise<Guard> {
  const { scanner, signatures } = FEW_SIGNATURES;
  const guard = await startGuard({
    config: {
      scanner: { threads: 2, ...scanner },
      security: { failure_mode: 'closed', scanner_timeout_ms: 'hang' in faults ? 300 : 20_000 },
      signatures,
    },
    faults,
  });
  t.after(() => guard.close());
  return guard;
}

async function check(guard: Guard): Promise<number> {
  const response = await fetch(`${guard.url}/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'hello' }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function ready(guard: Guard): Promise<readonly [status: number, scanner: string]> {
  const response = await fetch(`${guard.url}/readyz`);
  const { checks } = (await response.json()) as { checks: { scanner: string } };
  return [response.status, checks.scanner];
}

async function untilReadyIs(guard: Guard, wanted: number): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [status, scanner] = await ready(guard);
    if (status === wanted) return scanner;
    assert.ok(Date.now() < deadline, `still ${status}: ${scanner}`);
    await sleep(50);
  }
}

const messages = (guard: Guard): string[] =>
  guard.logs().flatMap((line) => {
    const { msg, level } = JSON.parse(line) as { msg: string; level: string };
    return msg.startsWith('scanner threads ca') ? [`${level}: ${msg}`] : [];
  });

for (const [what, faults] of [
  ['die of every scan', { crash: 1 }],
  ['have an engine that fails', { throw: 1 }],
  ['never end a scan', { hang: 1 }],
] as const) {
  test(`an instance whose threads ${what} is not ready, and says why`, async (t) => {
    const guard = await guardWith(t, faults);
    assert.deepEqual(await ready(guard), [200, 'ok'], 'nobody has asked for a scan yet');
    for (let i = 0; i < 3; i += 1) assert.equal(await check(guard), 503);
    assert.equal(await untilReadyIs(guard, 503), 'threads cannot scan');
    assert.deepEqual(messages(guard), ['error: scanner threads cannot scan']);
    assert.equal((await fetch(`${guard.url}/healthz`)).status, 200, 'a restart is not what it needs');
  });
}

test('it is ready again at the first scan that succeeds, though no call comes any more', async (t) => {
  // Three of calls, and three of our own.
  const guard = await guardWith(t, { throw: 1, at: [1, 2, 3, 4, 5, 6] });
  for (let i = 0; i < 3; i += 1) assert.equal(await check(guard), 503);
  await untilReadyIs(guard, 503);
  assert.equal(await untilReadyIs(guard, 200), 'ok');
  assert.deepEqual(messages(guard), ['error: scanner threads cannot scan', 'info: scanner threads can scan again']);
  assert.equal(await check(guard), 200);
});

/** A clock and texts of our own that end as is said. */
function doubting(results: OurResult[]) {
  let now = 0;
  const asked: number[] = [];
  const told: (string | null)[] = [];
  const doubt = createDoubt({
    scanOurs() {
      asked.push(now);
      const result = results.shift() ?? 'failed';
      // As in the pool, where ours are counted like others.
      if (result === 'scanned') doubt.ended({ kind: 'report', findings: [], unscannable: {} });
      return Promise.resolve(result);
    },
    changed: (failure) => void told.push(failure),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds * 100; i += 1) {
      now += 10;
      doubt.check(now);
      await Promise.resolve();
    }
  };
  const fail = (times: number): void => {
    for (let i = 0; i < times; i += 1) doubt.ended({ kind: 'error', reason: 'engine' });
  };
  return { doubt, asked, told, pass, fail };
}

test('texts that fail, however many, make no instance unready while ours are scanned', async () => {
  const { doubt, asked, told, pass, fail } = doubting(Array.from({ length: 100 }, () => 'scanned' as const));
  for (let i = 0; i < 60; i += 1) {
    fail(50);
    await pass(1);
    assert.equal(doubt.failure(), null);
  }
  assert.deepEqual(told, []);
  assert.ok(asked.length > 0 && asked.length <= 31, `asked ${asked.length} times in a minute`);
});

test('nothing of ours is scanned where nothing fails, or where scans succeed in between', async () => {
  const { doubt, asked, pass, fail } = doubting([]);
  await pass(10);
  for (let i = 0; i < 20; i += 1) {
    fail(2);
    doubt.ended({ kind: 'report', findings: [], unscannable: {} });
    await pass(1);
  }
  assert.deepEqual(asked, []);
});

test('a text of ours for which no thread was free is no failure', async () => {
  const { doubt, told, pass, fail } = doubting(Array.from({ length: 50 }, () => 'unknown' as const));
  fail(10);
  await pass(60);
  assert.equal(doubt.failure(), null);
  assert.deepEqual(told, []);
});
