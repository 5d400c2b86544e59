import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parseControlPlane } from '../src/config/control-plane.ts';
import { openDatabase } from '../src/control-plane/server/open-database.ts';
import { desiredVersion, haltReason, placeOf, type Rollout } from '../src/control-plane/server/rollouts.ts';
import { guard, temporaryFolder } from './helpers/cli.ts';
import { startPlane, type Plane } from './helpers/control-plane.ts';

const problemsOf = (text: string, env: NodeJS.ProcessEnv = {}): string[] =>
  parseControlPlane(text, 'plane.yaml', env).problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);

test('an empty file is all defaults, and they are those of the page', () => {
  const { config } = parseControlPlane('', 'plane.yaml', {});
  assert.ok(config !== null);
  assert.deepEqual([config.server.host, config.server.port, config.storage.url], ['127.0.0.1', 9902, 'embedded']);
  assert.match(config.storage.folder, /\/guard-control-plane$/);
  assert.deepEqual(config.fleet, { heartbeat_s: 30, max_instances: 50_000, forget_days: 30 });
});

const key = (id: string, digit: string): string => `{ id: ${id}, sha256: "${digit.repeat(64)}", scopes: [admin] }`;

const WRONG: readonly (readonly [text: string, says: RegExp])[] = [
  ['servr: {}', /^1 servr: unknown key; did you mean server\?/],
  ['server: { port: 99999 }', /^1 server\.port: expected a whole number from 0 to 65535/],
  ['storage: { url: "mysql://x" }', /storage\.url: expected embedded, or postgres:/],
  ['storage: { url_file: /nowhere/at-all }', /storage\.url_file: \/nowhere\/at-all: there is no such file/],
  ['storage: { url: embedded, url_file: x }', /storage\.url_file: give either url or url_file, not both/],
  ['keys: [{ id: a, sha256: short, scopes: [admin] }]', /keys\[0\]\.sha256: expected the SHA-256/],
  [`keys: [${key('a', '1')}, ${key('a', '2')}]`, /^1 keys\[1\]\.id: another key has this id$/],
  [`keys: [${key('a', 'a')}, ${key('b', 'A')}]`, /^1 keys\[1\]\.sha256: this key is already listed/],
  ['keys: [{ id: a, sha256: "${HASH}", scopes: [metrics] }]', /HASH is not set/],
  ['trusted_keys: [rubbish]', /trusted_keys\[0\]: expected a public key/],
  ['rollout: { halt_block_rise: 2 }', /rollout\.halt_block_rise/],
];
for (const [text, says] of WRONG) {
  test(`refused with its place: ${text}`, () => {
    assert.match(problemsOf(text).join('\n'), says);
  });
}

test('a secret in a problem is never repeated', () => {
  assert.ok(!problemsOf('storage: { url: "postgres://u:hunter2 x" }').join().includes('hunter2'));
});

test('the address of the storage may stand in a file, and what is wrong in it is said without repeating it', (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const url = 'postgres://u:hunter2@db.example:5432/guard';
  const good = parseControlPlane(`storage: { url_file: ${folder.file('url', `${url}\n`)} }`, 'plane.yaml', {});
  assert.equal(good.config?.storage.url, url);
  const said = problemsOf(`storage: { url_file: ${folder.file('wrong', 'mysql://u:hunter2@x')} }`).join();
  assert.match(said, /^1 storage\.url: expected embedded, or postgres:/);
  assert.ok(!said.includes('hunter2'));
});

test('at the command line a wrong file ends with 78 and a sound one is said to be valid', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const wrong = await guard(['control-plane', '--check', '-c', folder.file('wrong.yaml', 'servr: {}')]);
  assert.deepEqual([wrong.code, /wrong\.yaml:1:1 servr: unknown key/.test(wrong.stderr)], [78, true], wrong.stderr);
  const sound = await guard(['control-plane', '--check', '-c', folder.file('sound.yaml', 'server: { port: 0 }')]);
  assert.deepEqual([sound.code, sound.stdout], [0, 'valid\n']);
  const away = folder.file('away.yaml', 'storage: { url: "postgres://u:hunter2@127.0.0.1:1/x" }');
  const unreachable = await guard(['control-plane', '-c', away]);
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, /cannot start: ECONNREFUSED/);
  assert.ok(!unreachable.stderr.includes('hunter2'));
});

test('a first start that cannot leave the key of the first administrator behind makes none; the next one does', async (t) => {
  const folder = temporaryFolder();
  let plane: Plane | null = null;
  t.after(async () => {
    await plane?.close();
    folder.remove();
  });
  const config = { storage: { folder: folder.path }, keys: [] };
  const file = join(folder.path, 'first-admin.key');
  mkdirSync(file);
  await assert.rejects(startPlane({ config }), { code: 'EISDIR' });
  rmdirSync(file);
  plane = await startPlane({ config });
  assert.equal(plane.plane.firstKeyFile, file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const key = readFileSync(file, 'utf8').trim();
  assert.equal((await plane.call('GET', '/v1/fleet', { key })).status, 200);
});

test('the last key of an administrator cannot be revoked, and another one can take its place', async (t) => {
  const folder = temporaryFolder();
  let plane: Plane | null = null;
  t.after(async () => {
    await plane?.close();
    folder.remove();
  });
  const config = { storage: { folder: folder.path }, keys: [] };
  plane = await startPlane({ config });
  const first = readFileSync(plane.plane.firstKeyFile!, 'utf8').trim();
  const refused = await plane.call('DELETE', '/v1/keys/first-admin', { key: first });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.json.error.message as string, /last key with the scope admin; create another one first/);
  assert.equal((await plane.call('GET', '/v1/keys', { key: first })).status, 200, 'nobody is locked out');

  const next = await plane.call('POST', '/v1/keys', { key: first, json: { id: 'next', scopes: ['admin', 'check'] } });
  const { key: second } = next.json as { key: string };
  assert.equal((await plane.call('DELETE', '/v1/keys/first-admin', { key: second })).status, 200);
  assert.equal((await plane.call('DELETE', '/v1/keys/next', { key: second })).status, 400);
});

test('where the keys of all administrators were revoked, the next start makes one under an id of its own', async (t) => {
  const folder = temporaryFolder();
  let plane: Plane | null = null;
  t.after(async () => {
    await plane?.close();
    folder.remove();
  });
  const config = { storage: { folder: folder.path }, keys: [] };
  await (await startPlane({ config })).plane.close();
  const settings = { url: 'embedded', folder: folder.path, connections: 1 };
  const database = await openDatabase(settings, () => {});
  await database.query('update guard.keys set revoked_at = now()');
  await database.close();
  plane = await startPlane({ config });
  const key = readFileSync(plane.plane.firstKeyFile!, 'utf8').trim();
  const listed = await plane.call('GET', '/v1/keys', { key });
  assert.deepEqual(
    (listed.json.keys as { id: string }[]).map(({ id }) => id),
    ['first-admin-2'],
  );
  await plane.plane.close();

  const taken = { ...config, keys: [{ id: 'first-admin-2', sha256: '1'.repeat(64), scopes: ['admin'] }] };
  await assert.rejects(startPlane({ config: taken }), /keys: the id first-admin-2 is taken by a key in the storage/);
});

const rollout = (version: number, percent: number, state: Rollout['state'] = 'running'): Rollout => ({ id: version, group: 'g', version, percent, state }); // prettier-ignore

test('an instance has the newest roll-out that has come to it, and a halted one never happened', () => {
  assert.equal(desiredVersion([], 50), null);
  assert.equal(desiredVersion([rollout(3, 10), rollout(2, 100)], 9.99), 3);
  assert.equal(desiredVersion([rollout(3, 10), rollout(2, 100)], 10), 2);
  assert.equal(desiredVersion([rollout(3, 100, 'halted'), rollout(2, 100)], 1), 2);
  assert.equal(desiredVersion([rollout(3, 100, 'halted')], 1), 0);
  assert.equal(desiredVersion([rollout(3, 10)], 50), null, 'not reached yet: it keeps what it has');
});

test('instances are spread evenly over a roll-out', () => {
  const places = Array.from({ length: 10_000 }, (_, n) => placeOf(n.toString(16).padStart(32, '0')));
  for (const percent of [5, 25, 50]) {
    const share = places.filter((place) => place < percent).length / 100;
    assert.ok(Math.abs(share - percent) < 2, `${share} % of ${percent} %`);
  }
  assert.ok(Math.min(...places) >= 0 && Math.max(...places) < 100);
});

test('a roll-out is halted by refusals and by blocking far more, not by chance', () => {
  const rules = { halt_refusals: 2, halt_block_rise: 0.02, halt_min_requests: 200 };
  const of = (requests: number, blocked: number) => ({ requests, blocked });
  const reason = (refusals: number, after = of(0, 0), others = of(0, 0), baseline = of(0, 0)) =>
    haltReason(rules, refusals, 'unproven', { after, others, baseline });
  assert.equal(reason(1), null);
  assert.match(reason(2)!, /refused by 2 instances, last: unproven/);
  assert.match(reason(0, of(1000, 100), of(1000, 10))!, /blocks 10\.0 % of requests where 1\.0 % were blocked/);
  assert.equal(reason(0, of(1000, 19), of(1000, 5)), null, 'less than the rise that counts');
  assert.equal(reason(0, of(1000, 150), of(1000, 100)), null, 'less than twice');
  assert.equal(reason(0, of(100, 100), of(1000, 10)), null, 'too few to say');
  assert.equal(reason(0, of(1000, 100), of(0, 0)), null, 'nothing to hold it against');
  assert.match(reason(0, of(1000, 1000), of(0, 0), of(1000, 10))!, /blocks 100\.0 % .* where 1\.0 % were/, 'the start');
  assert.equal(reason(0, of(1000, 100), of(1000, 90), of(1000, 10)), null, 'others today say more than the start');
});
