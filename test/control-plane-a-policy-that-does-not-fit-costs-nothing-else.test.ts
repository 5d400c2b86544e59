/** What the fleet sent against what the operator of one proxy changes meanwhile. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kept } from '../src/control-plane/client-kept.ts';
import { bundleBy, keyPair, signatureFile } from './helpers/bundle.ts';
import { temporaryFolder } from './helpers/cli.ts';
import { KEYS, startPlane, type Plane } from './helpers/control-plane.ts';
import { configOf, startGuard, type Guard, type GuardOptions } from './helpers/guard.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

const author = keyPair();
const kept = temporaryFolder();
const own = temporaryFolder();
let plane: Plane;
let guard: Guard;

const optionsOf = (upstream: string, more: Record<string, unknown> = {}): GuardOptions => ({
  upstreams: { [upstream]: { url: 'http://127.0.0.1:9' } },
  config: {
    policy: { default_action: 'warn' },
    control_plane: {
      enabled: true,
      url: plane.url,
      api_key: KEYS.fleet,
      heartbeat_s: 1,
      folder: kept.path,
      public_keys: [author.publicKey],
    },
    ...more,
  },
});
const action = async (text: string): Promise<string> => {
  const answer = await fetch(`${guard.url}/check`, { method: 'POST', body: JSON.stringify({ text }) });
  return ((await answer.json()) as { action: string }).action;
};
const version = async (): Promise<number> =>
  Number(/^guard_signature_bundle_version (\d+)$/m.exec(await guard.metrics())![1]);
const eventually = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; !(await holds()); await sleep(100))
    if (Date.now() > end) assert.fail(`not in time: ${what}\n${guard.logs().slice(-5).join('')}`);
};
const roll = async (number: number, text: string): Promise<number> => {
  const body = bundleBy(author, { version: number, text, mode: 'replace' });
  assert.equal((await plane.call('POST', '/v1/bundles', { body })).status, 201);
  const started = await plane.call('POST', '/v1/rollouts', {
    json: { group: 'default', version: number, percent: 100 },
  });
  return Number(started.json.id);
};
const said = (message: string): Record<string, unknown>[] =>
  guard
    .logs()
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
const keptPolicy = (): unknown => (JSON.parse(readFileSync(join(kept.path, 'fleet.json'), 'utf8')) as Kept).policy;
const MISFIT = 'policy of the fleet does not fit this configuration, that of the file is in force';

before(async () => {
  plane = await startPlane({ trusted: [author], config: { fleet: { heartbeat_s: 1 } } });
  await plane.call('PUT', '/v1/groups/default/policy', {
    json: { default_action: 'block', exclusions: [{ category: 'jailbreak', upstream: 'llm-a', reason: 'agreed' }] },
  });
  await roll(1, signatureFile('frobnicate'));
  guard = await startGuard(optionsOf('llm-a'));
  await eventually('bundle and policy', async () => (await action('please frobnicate now')) === 'block');
});
after(async () => {
  await guard?.close();
  await plane?.close();
  kept.remove();
  own.remove();
});

test('a file that renames an upstream comes into force, and the policy that names it does not', async () => {
  const reloaded = await guard.service.reload(configOf(optionsOf('openai')));
  assert.deepEqual(reloaded.problems, []);
  assert.equal(await action('please frobnicate now'), 'warn', 'the bundle with the policy of the file');
  assert.equal(said(MISFIT).length, 1);
  assert.match(String(said(MISFIT)[0]!.problems), /exclusions\[0\]\.upstream: no such upstream; there are: openai/);
  assert.equal(keptPolicy(), null);
  await eventually('shown as another policy', async () => {
    const [row] = (await plane.call('GET', '/v1/fleet')).json.instances as Record<string, unknown>[];
    return row!.policy_etag === null && row!.wanted_policy !== null;
  });
  await guard.service.reload(configOf(optionsOf('llm-a')));
  await eventually('the policy is taken again', async () => (await action('please frobnicate now')) === 'block');
});

test('an operator’s own signature with an id of the bundle refuses it here, and halts it nowhere', async () => {
  const paths = [own.file('own.yaml', signatureFile('wombatting', { id: 'of-both' }))];
  await guard.service.reload(configOf(optionsOf('llm-a', { signatures: { paths } })));
  const id = await roll(2, signatureFile('frobnicate', { id: 'of-both' }));
  const refusals = () => said('signature bundle refused, the old signatures stay in force');
  await eventually('refused', () => refusals().length === 1);
  assert.deepEqual([refusals()[0]!.error_code, refusals()[0]!.version], ['unfit', '2']);
  const rollout = async (): Promise<Record<string, unknown>> =>
    ((await plane.call('GET', '/v1/rollouts')).json.rollouts as Record<string, unknown>[]).find(
      (row) => row.id === id,
    )!;
  await eventually('reported', async () => (await rollout()).refused === 1);
  await sleep(2500);
  assert.equal((await rollout()).state, 'running');
  await guard.service.reload(configOf(optionsOf('llm-a')));
  await eventually('taken', async () => (await version()) === 2);
});

test('a bundle whose signatures are all disabled here is refused here, and scanning goes on', async () => {
  const disabled = ['says-wombatting'];
  await guard.service.reload(configOf(optionsOf('llm-a', { signatures: { disabled } })));
  await roll(3, signatureFile('wombatting'));
  const refusals = () => said('signature bundle refused, the old signatures stay in force');
  await eventually('refused', () => refusals().length === 2);
  assert.deepEqual([refusals()[1]!.error_code, refusals()[1]!.version], ['unfit', '3']);
  assert.match(String(refusals()[1]!.problems), /signatures\.disabled: leaves no signature/);
  assert.equal((await fetch(`${guard.url}/readyz`)).status, 200);
  assert.equal(await action('please frobnicate now'), 'block');
});

test('a start without the control plane keeps the bundle where only the policy does not fit', async () => {
  await guard.close();
  await plane.close();
  guard = await startGuard(optionsOf('openai'));
  assert.equal(await version(), 2);
  assert.equal(await action('please frobnicate now'), 'warn');
  assert.equal(said(MISFIT).length, 1);
  await guard.close();
  guard = await startGuard(optionsOf('llm-a'));
  assert.equal(await action('please frobnicate now'), 'block', 'it is still kept for the file that it fits');
});
