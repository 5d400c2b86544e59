import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import { createAccess, type Access } from '../src/control-plane/server/access.ts';
import { createAdmin } from '../src/control-plane/server/admin.ts';
import type { Database } from '../src/control-plane/server/database.ts';
import { openDatabase } from '../src/control-plane/server/open-database.ts';
import { createEventStore } from '../src/control-plane/server/event-store.ts';
import { createFleet } from '../src/control-plane/server/fleet.ts';
import { listen } from '../src/control-plane/server/listen.ts';
import { createTimers } from '../src/control-plane/server/timers.ts';
import { temporaryFolder } from './helpers/cli.ts';

const SETTINGS = { trusted: [], engine: '0.1.0', configured: [], recentS: 300 };

const folder = temporaryFolder();
let database: Database;
before(async () => {
  database = await openDatabase({ url: 'embedded', folder: folder.path, connections: 1 }, () => {});
});
after(async () => {
  await database?.close();
  folder.remove();
});

const hash = (key: string): string => createHash('sha256').update(key).digest('hex');
const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );
/** What a caller is told when a route fails in this way. */
async function toldOf(t: TestContext, fail: () => unknown): Promise<readonly [status: number, type: string]> {
  const settings = { host: '127.0.0.1', port: 0, max_connections: 10 };
  const route = {
    method: 'GET',
    path: '/',
    scope: null,
    body: 0,
    answer: async () => Promise.reject(await fail()),
  } as const;
  const listening = await listen(settings, [route], createAccess(Buffer.alloc(32)), () => {});
  t.after(() => listening.close());
  const response = await fetch(`http://127.0.0.1:${listening.address.port}/`);
  const { error } = (await response.json()) as { error: { type: string } };
  return [response.status, error.type];
}

test('a mistake of ours is an internal error, whatever its name, and one that the database points out as well', async (t) => {
  const taken = `insert into guard.groups (name) values ('default')`;
  for (const fail of [
    () => new SyntaxError('no JSON'),
    () => new TypeError('no function'),
    () => new Error('anything'),
    () => errorOf(database.query(taken)),
    () => errorOf(database.query('select no such thing')),
    () => errorOf(database.transaction((query) => query(taken))),
  ])
    assert.deepEqual(await toldOf(t, fail), [500, 'internal_error']);
});

test('a database that is not there, or says that it cannot, is a storage that is away', async (t) => {
  const nowhere = { url: 'postgres://nobody@127.0.0.1:1/x', folder: folder.path, connections: 1 };
  const full = `do $$ begin raise exception 'no room' using errcode = '53100'; end $$`;
  for (const fail of [() => errorOf(openDatabase(nowhere, () => {})), () => errorOf(database.query(full))])
    assert.deepEqual(await toldOf(t, fail), [503, 'overloaded']);
});

test('work that comes again tells a storage that is away, and is back, once, and a mistake of ours with its place', async (t) => {
  const nowhere = { url: 'postgres://nobody@127.0.0.1:1/x', folder: folder.path, connections: 1 };
  const gone = await errorOf(openDatabase(nowhere, () => {}));
  const told: string[] = [];
  const timers = createTimers({
    event: (level, message, fields) =>
      told.push(`${level}: ${message} ${fields?.error_code ?? ''} ${fields?.reason ?? ''}`.trim()),
  });
  t.after(() => timers.stop());
  const fails = [gone, gone, new TypeError('about a secret'), new TypeError('about a secret'), null, null, gone, null];
  let runs = 0;
  await new Promise<void>((resolve) => {
    timers.every(1, async () => {
      const error = fails[runs++];
      if (runs > fails.length) resolve();
      if (error != null) throw error;
    });
  });
  const [away, mistake, ...rest] = told;
  assert.match(away!, /^error: the storage of the control plane is away ECONNREFUSED$/);
  assert.match(mistake!, /^error: work of the control plane failed TypeError at .*control-plane-tells-its-own-faults/);
  assert.deepEqual(rest, [
    'info: the storage of the control plane is back',
    'error: the storage of the control plane is away ECONNREFUSED',
    'info: the storage of the control plane is back',
  ]);
  assert.doesNotMatch(told.join(), /secret/);
});

test('a change that was written is confirmed, even if it cannot be read again at once', async () => {
  const admin = createAdmin(database, SETTINGS, () => Promise.reject(new Error('the storage went away')));
  const made = await admin.createKey('shown-once', ['fleet']);
  assert.ok('value' in made && made.value.key.startsWith('guard_'));
});

test('of two servers that read the fleet at once none brings back a key that was revoked in between', async () => {
  const key = 'guard_revoked-while-it-is-read';
  await database.query(`insert into guard.keys (id, sha256, scopes) values ('leaked', $1, 'admin')`, [hash(key)]);
  let go = (): void => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  let first = true;
  /** Whose first answer with keys is long on its way. */
  const slow: Database = {
    ...database,
    async query(sql, values) {
      const rows = await database.query(sql, values);
      if (!sql.includes('from guard.keys') || !first) return rows;
      first = false;
      await held;
      return rows;
    },
  };
  const access: Access = createAccess(Buffer.alloc(32));
  const fleet = createFleet(slow, { heartbeat_s: 1, max_instances: 10 }, access, []);
  const left = { id: 'left', sha256: hash('left'), scopes: ['admin'] };
  const admin = createAdmin(database, { ...SETTINGS, configured: [left] }, () => fleet.refresh());
  const timer = fleet.refresh();
  while (first) await new Promise((resolve) => setTimeout(resolve, 5));
  const revoked = admin.revokeKey('leaked');
  await new Promise((resolve) => setTimeout(resolve, 200));
  go();
  await Promise.all([timer, revoked]);
  assert.equal(access.openSession(key), null);
});

test('batches beyond what may wait are turned away, and not for a fault of the storage', async () => {
  const store = createEventStore({ ...database, transaction: () => new Promise(() => {}) });
  const row = { hour: new Date().toISOString(), upstream: 'llm-a', bucket: 1, count: 1 };
  const batch = { detections: [], latencies: Array.from({ length: 2000 }, () => row) };
  for (let i = 0; i < 100; i += 1) void store.store(`batch-${i}`, 'default', batch);
  assert.equal(await store.store('one-more', 'default', batch), 'full');
});

test('an answer that cannot be written ends its connection, and is reported', async (t) => {
  const settings = { host: '127.0.0.1', port: 0, max_connections: 10 };
  const faults: string[] = [];
  const route = { method: 'GET', path: '/', scope: null, body: 0, answer: () => ({ status: 200, json: 1n }) } as const;
  const listening = await listen(settings, [route], createAccess(Buffer.alloc(32)), (code) => void faults.push(code));
  t.after(() => listening.close());
  await assert.rejects(fetch(`http://127.0.0.1:${listening.address.port}/`));
  assert.deepEqual(faults, ['TypeError']);
});
