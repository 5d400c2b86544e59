import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf, reachingRollouts, type Rollout } from '../src/control-plane/server/rollouts.ts';
import { bundleBy, keyPair } from './helpers/bundle.ts';
import { KEYS, startPlane, type Answer, type Plane } from './helpers/control-plane.ts';
import { startMember } from './helpers/fleet.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

const author = keyPair();
let plane: Plane;

before(async () => {
  plane = await startPlane({ trusted: [author], config: { fleet: { heartbeat_s: 1 } } });
  for (const version of [1, 2, 3])
    assert.equal((await plane.call('POST', '/v1/bundles', { body: bundleBy(author, { version }) })).status, 201);
});
after(() => plane?.close());

const eventually = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; !(await holds()); await sleep(100))
    if (Date.now() > end) assert.fail(`not in time: ${what}`);
};
/** A heartbeat is written down within a second, and looked at within another. */
const lookedAt = (): Promise<void> => sleep(3000);

async function groupOf(name: string, size: number): Promise<string[]> {
  await plane.call('POST', '/v1/groups', { json: { name } });
  const made: string[] = [];
  for (let n = 0; n < size; n += 1) {
    const json = { name: `${name}-${n}`, group: name, version: '0.1.0' };
    made.push(String((await plane.call('POST', '/v1/instances', { key: KEYS.fleet, json })).json.instance_id));
  }
  return made;
}
const beat = (id: string, change: object = {}): Promise<Answer> => {
  const nothing = { bundle_version: 0, policy_etag: null, signatures: 10, refused: null };
  const json = { version: '0.1.0', ...nothing, requests: 0, blocked: 0, dropped: 0, ...change };
  return plane.call('POST', `/v1/instances/${id}/heartbeat`, { key: KEYS.fleet, json });
};
const rollOut = async (group: string, version: number, percent = 100): Promise<number> => {
  const started = await plane.call('POST', '/v1/rollouts', { json: { group, version, percent } });
  assert.equal(started.status, 201, started.text);
  return Number(started.json.id);
};
const rollout = async (id: number): Promise<Record<string, unknown>> =>
  ((await plane.call('GET', '/v1/rollouts')).json.rollouts as Record<string, unknown>[]).find((row) => row.id === id)!;

const OF_THE_INSTANCE =
  'no-trust bad-signature tampered malformed oversize expired not-yet engine rollback conflict unfit';

test('an instance that cannot take a bundle takes it from no other, and is shown', async () => {
  const faults = OF_THE_INSTANCE.split(' ');
  const [has, ...cannot] = await groupOf('finished', 1 + faults.length);
  const id = await rollOut('finished', 1);
  await beat(has!, { bundle_version: 1 });
  for (const [at, fault] of faults.entries()) await beat(cannot[at]!, { refused: { version: 1, fault } });
  await eventually('all refusals are written down', async () => (await rollout(id)).refused === faults.length);
  await lookedAt();
  assert.deepEqual([(await rollout(id)).state, (await rollout(id)).reason], ['running', null]);
  assert.equal((await beat(has!, { bundle_version: 1 })).json.bundle.version, 1);

  await beat(cannot[0]!, { refused: { version: 1, fault: 'unreadable' } });
  await eventually('halted', async () => (await rollout(id)).state === 'halted');
  assert.equal((await rollout(id)).reason, 'refused by 1 instances, last: unreadable');
});

test('a member of another group that comes with a newer bundle leaves this group its own', async (t) => {
  await groupOf('newer', 0);
  await groupOf('stable', 0);
  const memberOf = (name: string, group: string) => {
    const member = startMember({ url: plane.url, key: KEYS.fleet, name, group, trusted: [author.trusted] });
    t.after(() => member.client.close());
    return member;
  };
  const stable = memberOf('stays', 'stable');
  const moved = memberOf('moves', 'newer');
  const id = await rollOut('stable', 1);
  for (const version of [2, 3]) {
    await rollOut('newer', version);
    await eventually(`has ${version}`, () => moved.version() === version);
  }
  await eventually('has 1', () => stable.version() === 1);
  const { instances } = (await plane.call('GET', '/v1/fleet?limit=500')).json as {
    instances: Record<string, string>[];
  };
  const { id: instance } = instances.find(({ name }) => name === 'moves')!;
  await plane.call('PUT', `/v1/instances/${instance}/group`, { json: { group: 'stable' } });
  await eventually('refused', () => moved.story.includes('refused 1 rollback'));
  await lookedAt();
  assert.equal((await rollout(id)).state, 'running');
  assert.deepEqual([stable.version(), moved.version()], [1, 3]);
});

test('what an instance blocks that refused the bundle is not held against those that have it', async () => {
  const [has, refuses] = await groupOf('compared', 2);
  const id = await rollOut('compared', 1);
  await beat(has!, { bundle_version: 1, requests: 1000, blocked: 100 });
  await beat(refuses!, { refused: { version: 1, fault: 'expired' }, requests: 1000, blocked: 0 });
  await eventually('written down', async () => (await rollout(id)).refused === 1);
  await lookedAt();
  assert.equal((await rollout(id)).state, 'running');
});

test('an older roll-out that still reaches instances is halted while a newer one has begun', async () => {
  // Enough that some are surely between the two shares, and some beyond.
  const ids = await groupOf('two', 60);
  const between = ids.filter((id) => placeOf(id) >= 5 && placeOf(id) < 50);
  const beyond = ids.filter((id) => placeOf(id) >= 50);
  const [older, newer] = [await rollOut('two', 1, 50), await rollOut('two', 2, 5)];
  assert.equal((await beat(between[0]!)).json.bundle.version, 1);
  for (const id of beyond) await beat(id, { requests: 1000, blocked: 1 });
  for (const id of between) await beat(id, { bundle_version: 1, requests: 1000, blocked: 500 });
  await eventually('halted', async () => (await rollout(older)).state === 'halted');
  assert.match(String((await rollout(older)).reason), /^blocks 50\.0 % of requests where 0\.1 %/);
  assert.equal((await rollout(newer)).state, 'running');
});

test('what a newer bundle has mended is not held against the one before it', async () => {
  const [old, fresh] = await groupOf('mended', 2);
  const [older, newer] = [await rollOut('mended', 1), await rollOut('mended', 2, 50)];
  await beat(old!, { bundle_version: 1, requests: 1000, blocked: 100 });
  await beat(fresh!, { bundle_version: 2, requests: 1000, blocked: 10 });
  await eventually('written down', async () => (await rollout(newer)).taken === 1);
  await lookedAt();
  assert.deepEqual([(await rollout(older)).state, (await rollout(newer)).state], ['running', 'running']);
});

test('a bundle that has expired meanwhile is not rolled out any more, with the reason', async () => {
  const expires = Date.now() + 2000;
  const body = bundleBy(author, { version: 4, expires });
  assert.equal((await plane.call('POST', '/v1/bundles', { body })).status, 201);
  await sleep(expires - Date.now() + 10);
  const late = await plane.call('POST', '/v1/rollouts', { json: { group: 'default', version: 4, percent: 5 } });
  assert.equal(late.status, 400);
  assert.match(late.json.error.message as string, /has expired, and no instance would take it: sign it again/);
});

test('the roll-outs that reach an instance are those that no newer one covers', () => {
  const of = (version: number, percent: number, state: Rollout['state'] = 'running'): Rollout => ({ id: version, group: 'g', version, percent, state }); // prettier-ignore
  const versions = (...newestFirst: Rollout[]): number[] => reachingRollouts(newestFirst).map(({ version }) => version);
  assert.deepEqual(versions(of(4, 5), of(3, 100, 'halted'), of(2, 50), of(1, 100)), [4, 2, 1]);
  assert.deepEqual(versions(of(3, 100), of(2, 100), of(1, 50)), [3]);
  assert.deepEqual(versions(of(3, 0), of(2, 10), of(1, 10)), [2]);
});
