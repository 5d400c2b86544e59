import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccess } from '../src/control-plane/server/access.ts';
import { forget } from '../src/control-plane/server/forget.ts';
import type { Database } from '../src/control-plane/server/database.ts';
import { openDatabase } from '../src/control-plane/server/open-database.ts';
import { createFleet, type Fleet, type Instance } from '../src/control-plane/server/fleet.ts';
import { temporaryFolder } from './helpers/cli.ts';

const folder = temporaryFolder();
let database: Database;
before(async () => {
  database = await openDatabase({ url: 'embedded', folder: folder.path, connections: 1 }, () => {});
});
after(async () => {
  await database?.close();
  folder.remove();
});

/** One server of those that share the database. */
const serverOf = async (max: number): Promise<Fleet> => {
  const settings = { heartbeat_s: 1, max_instances: max };
  const fleet = createFleet(database, settings, createAccess(Buffer.alloc(32)), []);
  await fleet.refresh();
  return fleet;
};
const register = (fleet: Fleet, instanceId: string | null = null): Promise<Instance | 'full'> =>
  fleet.register('key', { instanceId, name: 'short-lived', group: 'default', version: '0.1.0' });
const age = (days: number): Promise<unknown> =>
  database.query('update guard.instances set seen_at = now() - make_interval(days => $1)', [days]);
const revision = async (): Promise<unknown> =>
  (await database.query(`select value from guard.settings where name = 'revision'`))[0]!.value;

test('an instance that was not seen for long makes room for another, and has to register when it comes back', async () => {
  const fleet = await serverOf(2);
  const first = await register(fleet);
  assert.ok(first !== 'full');
  assert.notEqual(await register(fleet), 'full');
  assert.equal(await register(fleet), 'full');
  assert.equal(((await register(fleet, first.id)) as Instance).id, first.id, 'whoever is counted already comes again');

  await age(20);
  const before = await revision();
  await forget(database, 90, 30);
  assert.equal(await revision(), before, 'nobody was forgotten, and nobody has to read the fleet again');
  await age(31);
  await forget(database, 90, 30);
  await fleet.refresh();
  assert.equal(await fleet.find(first.id), null);
  assert.notEqual(await register(fleet, first.id), 'full');
  assert.notEqual(await register(fleet), 'full');
});

test('servers of one database count the same instances', async () => {
  await age(31);
  await forget(database, 90, 30);
  const [one, other] = [await serverOf(2), await serverOf(2)];
  for (const fleet of [one, other]) assert.notEqual(await register(fleet), 'full');
  for (const fleet of [one, other]) assert.equal(await register(fleet), 'full');
});
