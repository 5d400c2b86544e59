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
import { startRecorder, type Recorder } from './helpers/recorder.ts';

const author = keyPair();
const folder = temporaryFolder();
const SECRET = 'zanzibar-marmalade';
let plane: Plane;
let upstream: Recorder;
let guard: Guard;

const follow = (change: object = {}): object => ({
  control_plane: {
    enabled: true,
    url: plane.url,
    api_key: KEYS.fleet,
    heartbeat_s: 1,
    name: 'the first',
    group: 'followers',
    folder: folder.path,
    public_keys: [author.publicKey],
    ...change,
  },
});
const optionsOf = (change: object = {}, more: GuardOptions['upstreams'] = {}): GuardOptions => ({
  upstreams: {
    'llm-a': { url: upstream.url, policy: { categories: { 'encoding-evasion': { action: 'log' } } } },
    ...more,
  },
  config: follow(change) as Record<string, unknown>,
});
const startFollower = (change: object = {}): Promise<Guard> => startGuard(optionsOf(change));
const ask = async (text: string, via = guard): Promise<number> => {
  const response = await fetch(`${via.url}/llm-a/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: `${text} ${SECRET}` }] }),
  });
  await response.arrayBuffer();
  return response.status;
};
const eventually = async (what: string, holds: () => Promise<boolean> | boolean, timeoutMs = 15_000): Promise<void> => {
  for (const end = Date.now() + timeoutMs; !(await holds()); await sleep(50))
    if (Date.now() > end) assert.fail(`not in time: ${what}\n${guard?.logs().slice(-5).join('')}`);
};
const figure = async (name: string, via = guard): Promise<number> =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(await via.metrics())?.[1] ?? NaN);
const said = (message: string, via = guard): Record<string, unknown>[] =>
  via
    .logs()
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
/** In the place of the shipped signatures, which take seconds to prove and have tests of their own. */
const roll = async (version: number, text: string): Promise<void> => {
  const body = bundleBy(author, { version, text, mode: 'replace' });
  assert.equal((await plane.call('POST', '/v1/bundles', { body })).status, 201);
  const json = { group: 'followers', version, percent: 100 };
  assert.equal((await plane.call('POST', '/v1/rollouts', { json })).status, 201);
};

before(async () => {
  plane = await startPlane({ trusted: [author], config: { fleet: { heartbeat_s: 1 } } });
  await plane.call('POST', '/v1/groups', { json: { name: 'followers' } });
  upstream = await startRecorder({ body: '{}' });
  guard = await startFollower();
});
after(async () => {
  await guard?.close();
  await upstream?.close();
  await plane?.close();
  folder.remove();
});

test('a proxy says that it is connected, with its instance id, and shows it', async () => {
  await eventually('connected', () => said('connected to the control plane').length === 1);
  const [line] = said('connected to the control plane');
  assert.equal(line!.level, 'info');
  assert.match(String(line!.instance_id), /^[0-9a-f]{32}$/);
  assert.equal(await figure('guard_control_plane_connected'), 1);
  const { json } = await plane.call('GET', '/v1/fleet');
  const row = (json.instances as Record<string, unknown>[]).find(({ name }) => name === 'the first');
  assert.deepEqual([row?.id, row?.group_name], [line!.instance_id, 'followers']);
});

test('a bundle that is rolled out is proven and in force', async () => {
  assert.equal(await ask('please frobnicate now'), 200);
  await roll(1, signatureFile('frobnicate'));
  await eventually('blocked', async () => (await ask('please frobnicate now')) === 400);
  assert.equal(await figure('guard_signature_bundle_version'), 1);
  assert.equal(said('signature bundle taken').length, 1);
});

test('a bundle that breaks its promises changes nothing, says so, and halts its roll-out', async () => {
  await roll(2, signatureFile('honestword', { keeps: false }));
  await eventually('refused', () => said('signature bundle refused, the old signatures stay in force').length > 0);
  const [line] = said('signature bundle refused, the old signatures stay in force');
  assert.deepEqual([line!.level, line!.error_code, line!.version], ['error', 'unproven', '2']);
  assert.equal(await figure('guard_signature_bundle_refused_total'), 1);
  await eventually('halted', async () => {
    const { json } = await plane.call('GET', '/v1/rollouts');
    return (json.rollouts as Record<string, unknown>[]).some(
      ({ version, state }) => version === 2 && state === 'halted',
    );
  });
  assert.deepEqual([await ask('please frobnicate now'), await ask('honestword')], [400, 200]);
  await sleep(2500);
  assert.equal(said('signature bundle refused, the old signatures stay in force').length, 1, 'it is said once');
});

test('a bundle that is withdrawn is given up for the one before', async () => {
  await roll(3, signatureFile('wombatting'));
  await eventually('taken', async () => (await ask('we wombatting together')) === 400);
  assert.equal(await ask('please frobnicate now'), 200, 'a bundle is whole, not a heap of all before it');
  const { json } = await plane.call('GET', '/v1/rollouts');
  const { id } = (json.rollouts as { id: number; version: number }[]).find(({ version }) => version === 3)!;
  await plane.call('PATCH', `/v1/rollouts/${id}`, { json: { halt: true } });
  await eventually('given up', async () => (await ask('please frobnicate now')) === 400);
  assert.equal(await ask('we wombatting together'), 200);
  assert.equal(await figure('guard_signature_bundle_version'), 1);
});

test('the policy of the group takes the place of the file’s, upstreams keep their own, and the file’s comes back', async () => {
  const put = (json: unknown) => plane.call('PUT', '/v1/groups/followers/policy', { json });
  await put({ default_action: 'log' });
  await eventually('lenient', async () => (await ask('please frobnicate now')) === 200);
  assert.equal(said('policy of the fleet taken').length, 1);
  // Only here is it known that there is no such upstream.
  await put({ exclusions: [{ category: 'jailbreak', upstream: 'llm-z', reason: 'a test' }] });
  await eventually('refused', () => said('policy of the fleet refused, the old one stays in force').length === 1);
  assert.equal(await ask('please frobnicate now'), 200, 'the one before stays in force');
  await put(null);
  await eventually('strict again', async () => (await ask('please frobnicate now')) === 400);
});

test('a policy that is taken back is given up, on the disk as well, where none was ever refused', async () => {
  const put = (json: unknown) => plane.call('PUT', '/v1/groups/followers/policy', { json });
  const kept = (): unknown => (JSON.parse(readFileSync(join(folder.path, 'fleet.json'), 'utf8')) as Kept).policy;
  await put({ default_action: 'log' });
  await eventually('lenient', async () => (await ask('please frobnicate now')) === 200);
  assert.notEqual(kept(), null);
  await put(null);
  await eventually('strict again', async () => (await ask('please frobnicate now')) === 400);
  await eventually('forgotten', () => kept() === null);
});

test('what an instance refused it looks at again once its own configuration is another', async () => {
  const refusal = 'policy of the fleet refused, the old one stays in force';
  const before = said(refusal).length;
  const policy = {
    default_action: 'log',
    exclusions: [{ category: 'jailbreak', upstream: 'llm-y', reason: 'a test' }],
  };
  await plane.call('PUT', '/v1/groups/followers/policy', { json: policy });
  await eventually('refused', () => said(refusal).length === before + 1);
  await guard.service.reload(configOf(optionsOf({}, { 'llm-y': { url: upstream.url } })));
  await eventually('lenient', async () => (await ask('please frobnicate now')) === 200);
  assert.equal(said(refusal).length, before + 1);
  await plane.call('PUT', '/v1/groups/followers/policy', { json: null });
  await eventually('strict again', async () => (await ask('please frobnicate now')) === 400);
});

test('events arrive as counts, and no word of any prompt leaves the proxy with them', async () => {
  const blocked = async (): Promise<number> => {
    const { json, text } = await plane.call('GET', '/v1/analytics?hours=2&group=followers');
    assert.ok(!text.includes(SECRET) && !text.includes('frobnicate now'));
    const rows = json.overTime as { category: string; action: string; count: number }[];
    return rows.filter(({ action }) => action === 'block').reduce((sum, { count }) => sum + count, 0);
  };
  const seen = await blocked();
  for (let i = 0; i < 5; i += 1) assert.equal(await ask('please frobnicate now'), 400);
  await eventually('counted', async () => (await blocked()) >= seen + 5);
  const { json } = await plane.call('GET', '/v1/analytics?hours=2&group=followers');
  assert.ok((json.signatures as { signature: string }[]).some(({ signature }) => signature === 'Says frobnicate'));
  assert.ok((json.latency as unknown[]).length > 0);
  assert.equal(await figure('guard_control_plane_events_dropped_total'), 0);
});

test('a key that is revoked ends the connection and nothing else', async (t) => {
  const { key } = (await plane.call('POST', '/v1/keys', { json: { id: 'short-lived', scopes: ['fleet'] } })).json as {
    key: string;
  };
  const second = await startFollower({ api_key: key, folder: null, name: 'the second' });
  t.after(() => second.close());
  await eventually('connected', () => said('connected to the control plane', second).length === 1);
  await plane.call('DELETE', '/v1/keys/short-lived');
  const message = 'the control plane is not reached, going on with what is in force';
  await eventually('noticed', () => said(message, second).length === 1);
  assert.equal(said(message, second)[0]!.reason, 'the key is not known there');
  assert.equal((await fetch(`${second.url}/readyz`)).status, 200);
  assert.deepEqual([await ask('please frobnicate now', second), await ask('hello', second)], [400, 200]);
  assert.ok(!second.logs().join('').includes(key), 'the key is in no line');
});

test('without the control plane a proxy starts on what it kept, and serves', async () => {
  await guard.close();
  await plane.close();
  guard = await startFollower();
  assert.equal(await figure('guard_signature_bundle_version'), 1);
  assert.deepEqual([await ask('please frobnicate now'), await ask('hello')], [400, 200]);
  assert.equal((await fetch(`${guard.url}/readyz`)).status, 200);
  assert.equal(await figure('guard_control_plane_connected'), 0);
  // Kept by another author than the one that is trusted now: as if it had not been kept.
  const stranger = await startFollower({ public_keys: [keyPair().publicKey] });
  assert.equal(await figure('guard_signature_bundle_version', stranger), 0);
  assert.equal(await ask('please frobnicate now', stranger), 200);
  await stranger.close();
});
