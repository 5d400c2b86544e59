/** What the control plane makes of rows that are old, in a database of its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccess } from '../src/control-plane/server/access.ts';
import { analytics } from '../src/control-plane/server/analytics.ts';
import { createAdmin, type Admin } from '../src/control-plane/server/admin.ts';
import { forget } from '../src/control-plane/server/forget.ts';
import type { Database } from '../src/control-plane/server/database.ts';
import { openDatabase } from '../src/control-plane/server/open-database.ts';
import { createFleet, type Fleet } from '../src/control-plane/server/fleet.ts';
import { watchRollouts } from '../src/control-plane/server/watch-rollouts.ts';
import { bundleBy, keyPair } from './helpers/bundle.ts';
import { temporaryFolder } from './helpers/cli.ts';

const folder = temporaryFolder();
const author = keyPair();
let database: Database;
let fleet: Fleet;
let admin: Admin;

before(async () => {
  database = await openDatabase({ url: 'embedded', folder: folder.path, connections: 1 }, () => {});
  fleet = createFleet(database, { heartbeat_s: 30, max_instances: 100 }, createAccess(Buffer.alloc(32)), []);
  await fleet.refresh();
  admin = createAdmin(database, { trusted: [author.trusted], engine: '0.1.0', configured: [], recentS: 300 }, () =>
    fleet.refresh(),
  );
});
after(async () => {
  await database.close();
  folder.remove();
});

/** An instance with what it told when it was last heard. */
async function instance(group: string, version: number, requests: number, blocked: number, more = {}): Promise<void> {
  const { id } = (await fleet.register('key', { instanceId: null, name: 'i', group, version: '0.1.0' })) as {
    id: string;
  };
  const told = { seen_at: 'now()', refused_version: 'null', ...more };
  await database.query(
    `update guard.instances set bundle_version = $2, requests = $3, blocked = $4, refused_fault = 'unproven',
       seen_at = ${told.seen_at}, refused_version = ${told.refused_version} where id = $1`,
    [id, version, requests, blocked],
  );
}

async function rollOut(group: string, version: number): Promise<number> {
  const started = await admin.startRollout(group, version, 100);
  assert.ok('value' in started, JSON.stringify(started));
  return started.value.id;
}

async function stateAfterALook(id: number): Promise<unknown> {
  const rules = { halt_refusals: 1, halt_block_rise: 0.02, halt_min_requests: 200, recent_s: 300 };
  await watchRollouts(database, fleet, admin, rules, () => {});
  return (await database.query('select state from guard.rollouts where id = $1', [id]))[0]!.state;
}

const LONG_AGO = { seen_at: "now() - interval '3 days'" };

test('instances that have been silent for days neither halt a roll-out nor excuse it', async () => {
  assert.ok('value' in (await admin.addBundle(bundleBy(author, { version: 5 }))));
  for (const name of ['refused', 'excused', 'begun']) await admin.createGroup(name);

  await instance('refused', 0, 0, 0, { ...LONG_AGO, refused_version: '5' });
  assert.equal(await stateAfterALook(await rollOut('refused', 5)), 'running');
  await instance('refused', 0, 0, 0, { refused_version: '5' });
  const id = (await database.query(`select id from guard.rollouts where group_name = 'refused'`))[0]!.id;
  assert.equal(await stateAfterALook(Number(id)), 'halted', 'one that is heard does');

  // What is gone blocked half of its requests; what was there when the roll-out began, one in a hundred.
  await instance('excused', 0, 10_000, 5000, LONG_AGO);
  await instance('excused', 0, 1000, 10);
  const excused = await rollOut('excused', 5);
  await instance('excused', 5, 1000, 500);
  assert.equal(await stateAfterALook(excused), 'halted');

  await instance('begun', 0, 10_000, 0, LONG_AGO);
  const begun = await rollOut('begun', 5);
  await instance('begun', 5, 1000, 500);
  assert.equal(await stateAfterALook(begun), 'running', 'nothing that was there at its start can be held against it');
});

test('a heartbeat that could not be written for a while does not overwrite a newer one of another server', async () => {
  const other = createFleet(database, { heartbeat_s: 30, max_instances: 100 }, createAccess(Buffer.alloc(32)), []);
  const beating = await fleet.register('key', { instanceId: null, name: 'i', group: 'default', version: '0.1.0' });
  assert.ok(beating !== 'full');
  const nothing = { policyEtag: null, signatures: 1, refused: null, blocked: 0, dropped: 0 };
  const beat = (server: Fleet, version: string): void =>
    server.beat(beating, { ...nothing, version, bundleVersion: 0, requests: 1 });
  const written = async (): Promise<unknown> =>
    (await database.query('select version from guard.instances where id = $1', [beating.id]))[0]!.version;
  beat(other, '0.1.1');
  await sleep(50);
  beat(fleet, '0.1.2');
  await fleet.flush();
  await other.flush();
  assert.equal(await written(), '0.1.2');
  await sleep(50);
  beat(other, '0.1.3');
  await other.flush();
  assert.equal(await written(), '0.1.3');
  // A clock of the database that was ahead, and has been set right, stops nobody.
  await database.query(`update guard.instances set seen_at = now() + interval '1 hour' where id = $1`, [beating.id]);
  beat(fleet, '0.1.4');
  await fleet.flush();
  assert.equal(await written(), '0.1.4');
  await database.query('delete from guard.instances where id = $1', [beating.id]);
});

test('of more hours than a chart takes the oldest are left out', async () => {
  await database.query(
    `insert into guard.detections (hour, group_name, upstream, category, action, signature, shadow, count)
     select date_trunc('hour', now()) - make_interval(hours => n), 'default', 'llm-a', 'none', 'allow', '', false, 1
     from generate_series(0, 20099) n`,
  );
  const { overTime } = await analytics(database, { hours: 24 * 3650, group: 'default' });
  const hours = overTime!.map(({ hour }) => (hour as Date).getTime());
  assert.equal(hours.length, 20_000);
  assert.ok(Date.now() - hours.at(-1)! < 2 * 3_600_000, 'the newest hour is there, at the end');
  assert.equal(hours[0], hours.at(-1)! - 19_999 * 3_600_000);
  await database.query(`delete from guard.detections`);
});

test('ten thousand keys that were revoked leave room for new ones', async () => {
  await database.query(
    `insert into guard.keys (id, sha256, scopes, revoked_at)
     select 'old-' || n, 'hash-' || n, 'fleet', now() - interval '200 days' from generate_series(1, 10000) n`,
  );
  const made = await admin.createKey('next', ['fleet']);
  assert.ok('value' in made, JSON.stringify(made));
});

test('a revoked key is forgotten when nothing that was counted under it is kept any more', async () => {
  await database.query(
    `insert into guard.checks (hour, key_id, count, blocked) values (now() - interval '1 day', 'old-1', 1, 0)`,
  );
  await database.query(
    `update guard.instances set key_id = 'old-2' where id = (select id from guard.instances where seen_at > now() - interval '1 hour' limit 1)`,
  );
  await database.query(`update guard.keys set revoked_at = now() - interval '80 days' where id = 'old-3'`);
  await forget(database, 90, 30);
  const left = await database.query('select id from guard.keys order by id');
  assert.deepEqual(
    left.map(({ id }) => id),
    ['next', 'old-1', 'old-2', 'old-3'],
  );
  assert.ok('fault' in (await admin.createKey('old-1', ['fleet'])), 'its id stays taken');
  assert.ok('value' in (await admin.createKey('old-4', ['fleet'])));
});
