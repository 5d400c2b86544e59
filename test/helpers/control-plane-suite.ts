/** What a control plane promises, whatever it is stored in: run with the embedded database and with a PostgreSQL. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleBy, keyPair } from './bundle.ts';
import { KEYS, startPlane, type Answer, type Plane } from './control-plane.ts';

const author = keyPair();
const ID = /^[0-9a-f]{32}$/;

const hour = (): string => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
const beatOf = (change: object = {}): object => ({
  version: '0.1.0',
  bundle_version: 0,
  policy_etag: null,
  signatures: 10,
  refused: null,
  requests: 0,
  blocked: 0,
  dropped: 0,
  ...change,
});
const rowOf = (change: object = {}): object => ({
  hour: hour(),
  upstream: 'llm-a',
  category: 'jailbreak',
  action: 'block',
  signature: 'Some name',
  shadow: false,
  count: 1,
  ...change,
});

export function promisesOfAControlPlane(storage: () => Promise<object> | object): void {
  let plane: Plane;
  before(async () => {
    plane = await startPlane({ trusted: [author], config: { storage: await storage() } });
  });
  after(() => plane?.close());

  const register = async (name = 'one', group = 'default', key: string = KEYS.fleet): Promise<string> => {
    const answer = await plane.call('POST', '/v1/instances', { key, json: { name, group, version: '0.1.0' } });
    assert.equal(answer.status, 201, answer.text);
    return answer.json.instance_id as string;
  };
  const beat = (id: string, change: object = {}, key: string = KEYS.fleet): Promise<Answer> =>
    plane.call('POST', `/v1/instances/${id}/heartbeat`, { key, json: beatOf(change) });
  const send = (id: string, batch: object, idempotency: string, headers: object = {}): Promise<Answer> =>
    plane.call('POST', `/v1/instances/${id}/events`, {
      key: KEYS.fleet,
      body: gzipSync(JSON.stringify(batch)),
      headers: { 'Content-Encoding': 'gzip', 'Idempotency-Key': idempotency, ...headers },
    });
  const counted = async (group: string): Promise<Record<string, { count: number }[]>> =>
    (await plane.call('GET', `/v1/analytics?hours=2&group=${group}`)).json as Record<string, { count: number }[]>;
  const sum = (rows: readonly { count: number }[] | undefined): number =>
    (rows ?? []).reduce((all, { count }) => all + count, 0);
  const eventually = async (what: string, holds: () => Promise<boolean>, timeoutMs = 8000): Promise<void> => {
    for (const end = Date.now() + timeoutMs; !(await holds()); await sleep(100))
      if (Date.now() > end) assert.fail(`not in time: ${what}`);
  };

  test('an instance registers, beats, and is seen in the table; it keeps its id when it comes again', async () => {
    const id = await register('seen');
    assert.match(id, ID);
    const orders = await beat(id, { requests: 7, blocked: 2, bundle_version: 0 });
    assert.deepEqual(orders.json, { heartbeat_s: 30, bundle: null, policy_etag: null });
    await eventually('the beat is written down', async () => {
      const { json } = await plane.call('GET', '/v1/fleet');
      const row = (json.instances as Record<string, unknown>[]).find((each) => each.id === id);
      assert.equal(json.heartbeat_s, 30);
      return row?.requests === 7 && row.blocked === 2 && row.name === 'seen';
    });
    const again = await plane.call('POST', '/v1/instances', {
      key: KEYS.fleet,
      json: { instance_id: id, name: 'seen again', version: '0.1.1' },
    });
    assert.equal(again.json.instance_id, id);
  });

  test('an instance belongs to its key: another one neither speaks for it nor takes it over', async () => {
    const id = await register('mine');
    for (const path of ['heartbeat', 'events'])
      assert.equal(
        (await plane.call('POST', `/v1/instances/${id}/${path}`, { key: KEYS.other, json: beatOf() })).status,
        403,
      );
    for (const path of ['bundle', 'policy'])
      assert.equal((await plane.call('GET', `/v1/instances/${id}/${path}`, { key: KEYS.other })).status, 403);
    const taken = await plane.call('POST', '/v1/instances', {
      key: KEYS.other,
      json: { instance_id: id, name: 'thief', version: '1' },
    });
    assert.notEqual(taken.json.instance_id, id);
    const unknown = await beat('0'.repeat(32));
    assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'unknown_instance']);
  });

  test('a batch counts once however often it comes, and only where it is whole', async () => {
    assert.equal((await plane.call('POST', '/v1/groups', { json: { name: 'batches' } })).status, 201);
    const id = await register('sender', 'batches');
    const batch = {
      detections: [rowOf({ count: 3 }), rowOf({ count: 4 }), rowOf({ count: 5, shadow: true, action: 'warn' })],
      latencies: [{ hour: hour(), upstream: 'llm-a', bucket: 3, count: 9 }],
    };
    assert.deepEqual((await send(id, batch, 'the-first-batch-of-all')).json, { accepted: true, duplicate: false });
    for (let i = 0; i < 3; i += 1)
      assert.deepEqual((await send(id, batch, 'the-first-batch-of-all')).json, { accepted: true, duplicate: true });
    await send(id, batch, 'the-second-batch-of-all');
    const { overTime, shadow, latency } = await counted('batches');
    assert.deepEqual([sum(overTime), sum(shadow), sum(latency)], [14, 10, 18]);
    const half = { detections: [rowOf({ count: 100 }), rowOf({ count: -1 })], latencies: [] };
    assert.equal((await send(id, half, 'a-batch-with-a-wrong-row')).status, 400);
    assert.equal(sum((await counted('batches')).overTime), 14);
  });

  test('batches that meet at the same rows all count', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'meeting' } });
    const ids = await Promise.all([1, 2, 3, 4].map((n) => register(`m${n}`, 'meeting')));
    const names = ['a', 'b', 'c', 'd', 'e'];
    const sent = ids.flatMap((id, at) =>
      Array.from({ length: 8 }, (_, i) => {
        const rows = names.map((signature) => rowOf({ signature }));
        const detections = (at + i) % 2 === 0 ? rows : rows.toReversed();
        return send(id, { detections, latencies: [] }, `meeting-batch-number-${i}`);
      }),
    );
    for (const { status, text } of await Promise.all(sent)) assert.equal(status, 202, text);
    assert.equal(sum((await counted('meeting')).overTime), 4 * 8 * 5);
  });

  test('a moment that does not exist is refused by itself, and no batch beside it suffers', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'moments' } });
    const id = await register('moments', 'moments');
    for (const moment of ['2026-11-31T00:00:00.000Z', '2026-02-29T00:00:00.000Z', '2026-13-01T00:00:00.000Z']) {
      const odd = await send(id, { detections: [rowOf({ hour: moment })], latencies: [] }, 'a-batch-of-no-moment');
      assert.equal(odd.status, 400, moment);
      const latencies = [{ hour: moment, upstream: 'llm-a', bucket: 3, count: 9 }];
      assert.equal((await send(id, { detections: [], latencies }, 'a-batch-of-no-moment')).status, 400, moment);
    }
  });

  test('categories and actions that are not known count as other, however many are made up', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'made-up' } });
    const id = await register('made-up', 'made-up');
    const detections = Array.from({ length: 1000 }, (_, n) => rowOf({ category: `c-${n}`, action: `a-${n}` }));
    const known = [rowOf(), rowOf({ category: '', action: 'allow', signature: '' })];
    assert.equal(
      (await send(id, { detections: [...detections, ...known], latencies: [] }, 'made-up-batch-00')).status,
      202,
    );
    const { overTime } = await counted('made-up');
    assert.deepEqual(
      (overTime as unknown as Record<string, unknown>[]).map(({ hour: _hour, ...row }) => row),
      [
        { category: 'jailbreak', action: 'block', count: 1 },
        { category: 'none', action: 'allow', count: 1 },
        { category: 'other', action: 'other', count: 1000 },
      ],
    );
  });

  test('hours that are long over or not yet are left out', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'hours' } });
    const id = await register('late', 'hours');
    const at = (ms: number): object => rowOf({ hour: new Date(Math.floor(ms / 3_600_000) * 3_600_000).toISOString() });
    const detections = [at(Date.now() - 30 * 86_400_000), at(Date.now() + 86_400_000), rowOf()];
    assert.equal((await send(id, { detections, latencies: [] }, 'a-batch-out-of-its-time')).status, 202);
    const answer = await plane.call('GET', '/v1/analytics?hours=2000&group=hours');
    assert.equal(sum(answer.json.overTime as { count: number }[]), 1);
  });

  test('a bundle is kept when a trusted key signed it and its version is new; a roll-out reaches its share and then all', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'rolling' } });
    const ids = await Promise.all(Array.from({ length: 24 }, (_, n) => register(`r${n}`, 'rolling')));
    const upload = (bytes: Buffer): Promise<Answer> => plane.call('POST', '/v1/bundles', { body: bytes });
    const bytes = bundleBy(author, { version: 3 });
    assert.match((await upload(bundleBy(keyPair(), { version: 3 }))).json.error.message as string, /bad-signature/);
    const kept = await upload(bytes);
    assert.deepEqual([kept.status, kept.json.version], [201, 3]);
    const older = await upload(bundleBy(author, { version: 2 }));
    assert.match(older.json.error.message as string, /has version 2, and there is one of version 3: sign it again/);
    assert.equal((await upload(bytes)).json.error.message, 'this bundle is here already, as version 3');
    const empty = JSON.stringify({ category: 'jailbreak', signatures: [] });
    const blind = await upload(bundleBy(author, { version: 4, mode: 'replace', text: empty }));
    assert.match(blind.json.error.message as string, /takes the place of the shipped signatures and holds none/);
    const twice = await Promise.all([4, 4].map((version) => upload(bundleBy(author, { version }))));
    assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 400], twice.map(({ text }) => text).join());

    const wanted = async (): Promise<number> => {
      const all = await Promise.all(ids.map((id) => beat(id)));
      return all.filter(({ json }) => json.bundle?.version === 3).length;
    };
    assert.equal(await wanted(), 0);
    const started = await plane.call('POST', '/v1/rollouts', { json: { group: 'rolling', version: 3, percent: 40 } });
    assert.equal(started.status, 201);
    const some = await wanted();
    assert.ok(some > 0 && some < 24, `${some} of 24`);
    assert.equal(await wanted(), some, 'the share is the same ones every time');
    const path = `/v1/rollouts/${started.json.id}`;
    assert.equal((await plane.call('PATCH', path, { json: { percent: 100 } })).status, 200);
    assert.equal(await wanted(), 24);

    const first = await plane.call('GET', `/v1/instances/${ids[0]}/bundle`, { key: KEYS.fleet });
    assert.deepEqual([first.status, first.headers.get('etag')], [200, `"${kept.json.digest}"`]);
    const same = await plane.call('GET', `/v1/instances/${ids[0]}/bundle`, {
      key: KEYS.fleet,
      headers: { 'If-None-Match': `"${kept.json.digest}"` },
    });
    assert.deepEqual([same.status, same.text], [304, '']);

    assert.equal((await plane.call('PATCH', path, { json: { halt: true } })).status, 200);
    assert.equal(
      (await beat(ids[0]!)).json.bundle.version,
      0,
      'with nothing before it, back to the shipped signatures',
    );
    assert.equal(
      (await plane.call('PATCH', path, { json: { percent: 100 } })).status,
      400,
      'what was halted stays halted',
    );
  });

  test('a roll-out that an instance refuses is halted by itself, and its instances are sent back', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'halting' } });
    // Enough that the half that is chosen by their random names is never none or all of them: of ten it was, one in 500.
    const ids = await Promise.all(Array.from({ length: 32 }, (_, n) => register(`h${n}`, 'halting')));
    for (const version of [11, 12]) await plane.call('POST', '/v1/bundles', { body: bundleBy(author, { version }) });
    for (const [version, percent] of [
      [11, 100],
      [12, 50],
    ])
      // prettier-ignore
      assert.equal((await plane.call('POST', '/v1/rollouts', { json: { group: 'halting', version, percent } })).status, 201);
    const versions = async (): Promise<Set<number>> => {
      const all = await Promise.all(ids.map((id) => beat(id, { bundle_version: 11 })));
      return new Set(all.map(({ json }) => json.bundle.version as number));
    };
    assert.deepEqual(await versions(), new Set([11, 12]));
    await beat(ids[0]!, { refused: { version: 12, fault: 'unproven' } });
    await eventually('the roll-out is halted', async () => {
      const { json } = await plane.call('GET', '/v1/rollouts');
      const row = (json.rollouts as Record<string, unknown>[]).find((each) => each.version === 12);
      return row?.state === 'halted' && /unproven/.test(String(row.reason));
    });
    // The state stands in the storage a moment before the server that halted it reads the fleet again.
    await eventually('its instances are sent back', async () => {
      const wanted = await versions();
      return wanted.size === 1 && wanted.has(11);
    });
  });

  test('a roll-out that blocks far more than before is halted by itself', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'blocking' } });
    const [old, fresh] = [await register('old', 'blocking'), await register('fresh', 'blocking')];
    await plane.call('POST', '/v1/bundles', { body: bundleBy(author, { version: 21 }) });
    await plane.call('POST', '/v1/rollouts', { json: { group: 'blocking', version: 21, percent: 50 } });
    await beat(old, { requests: 10_000, blocked: 100 });
    await beat(fresh, { bundle_version: 21, requests: 1000, blocked: 90 });
    await eventually('the roll-out is halted', async () => {
      const { json } = await plane.call('GET', '/v1/rollouts');
      const row = (json.rollouts as Record<string, unknown>[]).find((each) => each.version === 21);
      return row?.state === 'halted' && /blocks 9\.0 %/.test(String(row.reason));
    });
  });

  test('a bundle that blocks everything is halted where nothing else is left to hold it against', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'alone' } });
    const id = await register('alone', 'alone');
    await beat(id, { requests: 5000, blocked: 50 });
    await eventually('the beat is written down', async () => {
      const { json } = await plane.call('GET', '/v1/fleet');
      return (json.instances as Record<string, unknown>[]).some((each) => each.id === id && each.requests === 5000);
    });
    await plane.call('POST', '/v1/bundles', { body: bundleBy(author, { version: 31 }) });
    await plane.call('POST', '/v1/rollouts', { json: { group: 'alone', version: 31, percent: 100 } });
    await beat(id, { bundle_version: 31, requests: 400, blocked: 400 });
    await eventually('the roll-out is halted', async () => {
      const { json } = await plane.call('GET', '/v1/rollouts');
      const row = (json.rollouts as Record<string, unknown>[]).find((each) => each.version === 31);
      return row?.state === 'halted' && /blocks 100\.0 % of requests where 1\.0 %/.test(String(row.reason));
    });
  });

  test('a policy is held against the schema, reaches its group with an ETag, and can be taken away', async () => {
    await plane.call('POST', '/v1/groups', { json: { name: 'ruled' } });
    const id = await register('ruled', 'ruled');
    const put = (json: unknown): Promise<Answer> => plane.call('PUT', '/v1/groups/ruled/policy', { json });
    assert.match((await put({ default_action: 'explode' })).json.error.message as string, /default_action/);
    assert.match((await put({ unknown: 1 })).json.error.message as string, /unknown key/);
    const { etag } = (await put({ default_action: 'warn' })).json as { etag: string };
    assert.equal((await beat(id)).json.policy_etag, etag);
    const given = await plane.call('GET', `/v1/instances/${id}/policy`, { key: KEYS.fleet });
    assert.deepEqual([given.json, given.headers.get('etag')], [{ default_action: 'warn' }, `"${etag}"`]);
    assert.equal((await put(null)).status, 200);
    assert.equal((await beat(id)).json.policy_etag, null);
    assert.equal((await plane.call('GET', `/v1/instances/${id}/policy`, { key: KEYS.fleet })).status, 204);
  });

  test('a key is shown once, opens what its scopes say, and opens nothing from the moment it is revoked', async () => {
    const made = await plane.call('POST', '/v1/keys', { json: { id: 'site-b', scopes: ['fleet'] } });
    assert.equal(made.status, 201);
    const { key } = made.json as { key: string };
    const listed = await plane.call('GET', '/v1/keys');
    assert.ok(listed.text.includes('site-b') && !listed.text.includes(key));
    const id = await register('with its own key', 'default', key);
    assert.equal((await plane.call('GET', '/v1/fleet', { key })).status, 403);
    assert.equal((await beat(id, {}, key)).status, 200);
    assert.equal((await plane.call('DELETE', '/v1/keys/site-b')).status, 200);
    assert.equal((await beat(id, {}, key)).status, 401);
    assert.equal((await plane.call('POST', '/v1/keys', { json: { id: 'site-b', scopes: ['fleet'] } })).status, 400);
    assert.equal((await plane.call('DELETE', '/v1/keys/admin')).status, 400, 'keys of the file are the file’s');
    for (const name of ['.', '..']) {
      // In a path both mean a folder, so that nothing could be asked of them, not even to go away.
      assert.equal((await plane.call('POST', '/v1/keys', { json: { id: name, scopes: ['fleet'] } })).status, 400);
      assert.equal((await plane.call('POST', '/v1/groups', { json: { name } })).status, 400);
    }
    await plane.call('POST', '/v1/keys', { json: { id: 'site-admin', scopes: ['admin'] } });
    const away = await plane.call('DELETE', '/v1/keys/site-admin');
    assert.equal(away.status, 200, 'an administrator whose key stands in the file is left');
  });
}
