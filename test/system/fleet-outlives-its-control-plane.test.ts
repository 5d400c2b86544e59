import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleBy, keyPair, signatureFile } from '../helpers/bundle.ts';
import { startMember, type Member } from '../helpers/fleet.ts';
import { answers, folder, freePort, MAIN, start, until, type Program } from './processes.ts';
import { startPostgres, type Postgres } from './postgres.ts';

/** Twenty instances, two of them whole proxies, before two control planes on one PostgreSQL; then everything is killed in turn. */

const HEARTBEAT_S = 1;
/** How long something stays away. The issue of an outage is the same after seconds as after a minute; the nightly run may say 60. */
const OUTAGE_MS = Number(process.env['GUARD_TEST_OUTAGE_MS'] ?? 8000);
const ADMIN = 'guard_admin-key-of-this-test';
const FLEET = 'guard_fleet-key-of-this-test';
const author = keyPair();
const files = folder();
let postgres: Postgres;
let planes: { url: string; program: Program; begin: () => Promise<void> }[] = [];
let proxies: { port: number; program: Program }[] = [];
let members: Member[] = [];

const call = async (method: string, path: string, given: { json?: unknown; body?: Buffer; at?: number } = {}) => {
  const response = await fetch(`${planes[given.at ?? 0]!.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN}` },
    ...(given.json === undefined
      ? given.body === undefined
        ? {}
        : { body: given.body }
      : { body: JSON.stringify(given.json) }),
    signal: AbortSignal.timeout(5000),
  });
  return { status: response.status, json: (await response.json()) as Record<string, any> }; // oxlint-disable-line typescript/no-explicit-any
};
const hash = (key: string): string => createHash('sha256').update(key).digest('hex');

before(async () => {
  postgres = await startPostgres();
  const common = {
    storage: { url: postgres.url },
    fleet: { heartbeat_s: HEARTBEAT_S },
    check: { enabled: false },
    trusted_keys: [author.publicKey],
    keys: [
      { id: 'admin', sha256: hash(ADMIN), scopes: ['admin'] },
      { id: 'fleet', sha256: hash(FLEET), scopes: ['fleet'] },
    ],
  };
  for (let n = 0; n < 2; n += 1) {
    const port = await freePort();
    const file = files.write(`plane-${n}.yaml`, JSON.stringify({ ...common, server: { port } }));
    const plane = {
      url: `http://127.0.0.1:${port}`,
      program: null as unknown as Program,
      async begin() {
        plane.program = start(process.execPath, [MAIN, 'control-plane', '-c', file]);
        await until(`control plane ${n}`, () => answers(`${plane.url}/readyz`), { heard: plane.program.output });
      },
    };
    planes.push(plane);
  }
  // Together, on an empty database: one of them makes the tables, the other waits for them.
  await Promise.all(planes.map(({ begin }) => begin()));
  assert.equal((await call('POST', '/v1/groups', { json: { name: 'site' } })).status, 201);

  for (let n = 0; n < 2; n += 1) {
    const port = await freePort();
    const file = files.write(
      `proxy-${n}.yaml`,
      JSON.stringify({
        server: { host: '127.0.0.1' },
        upstreams: {},
        scanner: { threads: 1 },
        control_plane: {
          enabled: true,
          url: planes[n]!.url,
          api_key: FLEET,
          group: 'site',
          name: `proxy-${n}`,
          public_keys: [author.publicKey],
          folder: `${files.path}/state-${n}`,
        },
      }),
    );
    const program = start(process.execPath, [MAIN, 'serve', '-c', file, '--port', String(port)]);
    proxies.push({ port, program });
  }
  members = Array.from({ length: 18 }, (_, n) =>
    startMember({
      url: planes[n % 2]!.url,
      key: FLEET,
      name: `member-${n}`,
      group: 'site',
      trusted: [author.trusted],
      unproven: ({ files: [file] }) => file!.text.includes('nothing of the kind'),
    }),
  );
  for (const { port, program } of proxies)
    await until(`the proxy on ${port}`, () => answers(`http://127.0.0.1:${port}/readyz`), {
      timeoutMs: 90_000,
      heard: program.output,
    });
  await until('all twenty to register', async () => (await instances()).length === 20, { timeoutMs: 60_000 });
});
after(async () => {
  await Promise.all(members.map(({ client }) => client.close()));
  for (const { program } of [...proxies, ...planes]) await program.stop();
  await postgres?.remove();
  files.remove();
});

async function instances(at = 0): Promise<{ id: string; name: string; bundle_version: number }[]> {
  return (await call('GET', '/v1/fleet', { at })).json.instances;
}
async function counted(action: string): Promise<number> {
  const { overTime } = (await call('GET', '/v1/analytics?hours=3&group=site')).json;
  return (overTime as { action: string; count: number }[])
    .filter((row) => row.action === action)
    .reduce((sum, { count }) => sum + count, 0);
}
async function check(port: number, text: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/check`, { method: 'POST', body: JSON.stringify({ text }) });
  assert.equal(response.status, 200);
  return ((await response.json()) as { action: string }).action;
}
/** Nobody who asks a proxy notices anything. */
async function serve(): Promise<void> {
  for (const { port } of proxies) {
    assert.equal(await answers(`http://127.0.0.1:${port}/readyz`), true);
    assert.equal(await check(port, 'What is the capital of France?'), 'allow');
  }
}
const roll = async (version: number, text: string, percent: number): Promise<void> => {
  const body = bundleBy(author, { version, text, mode: 'replace' });
  assert.equal((await call('POST', '/v1/bundles', { body })).status, 201);
  assert.equal((await call('POST', '/v1/rollouts', { json: { group: 'site', version, percent } })).status, 201);
};
const at = (version: number): number => members.filter((member) => member.version() === version).length;

test('a signed bundle reaches all twenty within two heartbeats, through either server', async (t) => {
  const since = performance.now();
  await roll(1, signatureFile('frobnicate'), 100);
  await until('all members', () => at(1) === 18, { timeoutMs: 30_000 });
  const ms = performance.now() - since;
  t.diagnostic(`18 clients in ${Math.round(ms)} ms at a heartbeat of ${HEARTBEAT_S} s`);
  // Two heartbeats with their jitter, and what the other server takes to notice.
  assert.ok(ms < HEARTBEAT_S * 2200 + 2500, `${ms} ms`);
  await until('both proxies', async () => (await check(proxies[0]!.port, 'please frobnicate now')) === 'block', {
    timeoutMs: 60_000,
  });
  await until('both proxies', async () => (await check(proxies[1]!.port, 'please frobnicate now')) === 'block', {
    timeoutMs: 60_000,
  });
  await until('the table', async () => (await instances()).every(({ bundle_version }) => bundle_version === 1));
});

test('a bad bundle stops at its first stage, and nobody keeps it', async () => {
  await roll(2, signatureFile('honestword', { keeps: false }), 30);
  await until('the halt', async () => {
    const { rollouts } = (await call('GET', '/v1/rollouts')).json;
    return (rollouts as { version: number; state: string }[]).some(
      ({ version, state }) => version === 2 && state === 'halted',
    );
  });
  const refusals = members.filter(({ story }) => story.includes('refused 2 unproven')).length;
  assert.ok(refusals > 0 && refusals < 18, `${refusals} members saw it`);
  assert.equal(at(1), 18);
});

test('a bundle that turns out bad after it was taken is withdrawn from those who took it', async () => {
  await roll(3, signatureFile('wombatting'), 50);
  await until('some members', () => at(3) > 0);
  await sleep(HEARTBEAT_S * 2500);
  const took = at(3);
  assert.ok(took > 0 && took < 18, `${took} of 18`);
  const { rollouts } = (await call('GET', '/v1/rollouts')).json;
  const { id } = (rollouts as { id: number; version: number }[]).find(({ version }) => version === 3)!;
  // At the other server than most of them ask.
  assert.equal((await call('PATCH', `/v1/rollouts/${id}`, { json: { halt: true }, at: 1 })).status, 200);
  await until('all back', () => at(1) === 18);
});

test('a revoked key takes effect at the server that is told at once, and at the other within seconds', async () => {
  const made = await call('POST', '/v1/keys', { json: { id: 'leaver', scopes: ['fleet'] } });
  const key = made.json.key as string;
  const leavers = await Promise.all(
    planes.map(async ({ url }, n) => {
      // The second server hears of the key as it hears of everything.
      await sleep(n * 2500);
      return startMember({ url, key, name: `leaver-${n}`, group: 'site', trusted: [author.trusted] });
    }),
  );
  await until('both connected', () => leavers.every(({ story }) => story.includes('connected')));
  assert.equal((await call('DELETE', '/v1/keys/leaver')).status, 200);
  await until('both out', () => leavers.every(({ story }) => story.includes('lost: the key is not known there')), {
    timeoutMs: 8000,
  });
  await Promise.all(leavers.map(({ client }) => client.close()));
});

for (const [what, kill, revive] of [
  ['a server of the control plane', () => planes[0]!.program.stop(), () => planes[0]!.begin()],
  ['the database', () => postgres.kill(), () => postgres.start()],
] as const) {
  test(`${what} is killed and comes back: no event is lost, and no proxy notices`, async () => {
    const before = await counted('block');
    let sent = 0;
    const traffic = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        for (const member of members) {
          member.exchange('block');
          sent += 1;
        }
        await serve();
        await sleep(200);
      }
    };
    await traffic(5);
    await kill();
    for (const end = Date.now() + OUTAGE_MS; Date.now() < end;) await traffic(2);
    await revive();
    await traffic(5);
    await until('every event to be counted', async () => (await counted('block')) - before === sent, {
      timeoutMs: 90_000,
      heard: () => `sent ${sent}\n${planes[0]!.program.output().slice(-1500)}`,
    });
    assert.deepEqual(
      members.flatMap(({ story }) => story.filter((line) => line.startsWith('dropped'))),
      [],
    );
    const lastWord = ({ story }: Member): string | undefined =>
      story.findLast((line) => /^(?:connected|lost)/.test(line));
    await until('all connected again', () => members.every((member) => lastWord(member) === 'connected'), {
      timeoutMs: 90_000,
    });
    for (const { program } of proxies) assert.ok(!program.output().includes('"level":"fatal"'));
  });
}

test('nothing that a client or a proxy said to the control plane holds a text', async () => {
  await check(proxies[0]!.port, 'please frobnicate now with quicksilver-parrot');
  await sleep(2500);
  for (const path of ['/v1/analytics?hours=3', '/v1/fleet'])
    assert.ok(!JSON.stringify((await call('GET', path)).json).includes('quicksilver'), path);
  for (const { program } of [...planes, ...proxies]) assert.ok(!program.output().includes('quicksilver'));
});
