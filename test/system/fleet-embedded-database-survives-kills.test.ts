import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleBy, keyPair, signatureFile } from '../helpers/bundle.ts';
import { startMember, type Member } from '../helpers/fleet.ts';
import { answers, folder, freePort, MAIN, start, until, type Program } from './processes.ts';

/** `guard control-plane` as it comes: one process with its database inside, killed without a word and started again. */

const author = keyPair();
const files = folder();
const place = join(files.path, 'plane');
let program: Program;
let members: Member[] = [];

after(async () => {
  await Promise.all(members.map(({ client }) => client.close()));
  await program?.stop();
  files.remove();
});

test('twenty instances register with one process, take a bundle, and lose no event when it is killed', async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = files.write(
    'plane.yaml',
    JSON.stringify({
      server: { port },
      storage: { folder: place },
      fleet: { heartbeat_s: 1 },
      check: { enabled: false },
      trusted_keys: [author.publicKey],
    }),
  );
  const begin = async (): Promise<void> => {
    program = start(process.execPath, [MAIN, 'control-plane', '-c', file]);
    await until('the control plane', () => answers(`${url}/readyz`), { timeoutMs: 90_000, heard: program.output });
  };
  await begin();

  // The first key is in a file that nobody else reads, and in no line of the log.
  const keyFile = join(place, 'first-admin.key');
  const admin = readFileSync(keyFile, 'utf8').trim();
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.ok(!program.output().includes(admin) && program.output().includes(keyFile));
  const call = async (method: string, path: string, body?: string | Buffer) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${admin}` },
      ...(body === undefined ? {} : { body }),
    });
    return (await response.json()) as Record<string, any>; // oxlint-disable-line typescript/no-explicit-any
  };
  const { key } = await call('POST', '/v1/keys', JSON.stringify({ id: 'site', scopes: ['fleet'] }));

  members = Array.from({ length: 20 }, (_, n) =>
    startMember({ url, key: String(key), name: `member-${n}`, group: 'default', trusted: [author.trusted] }),
  );
  await until('all to connect', () => members.every(({ story }) => story.includes('connected')));
  const body = bundleBy(author, { version: 1, text: signatureFile('frobnicate'), mode: 'replace' });
  await call('POST', '/v1/bundles', body);
  await call('POST', '/v1/rollouts', JSON.stringify({ group: 'default', version: 1, percent: 100 }));
  const since = performance.now();
  await until('all to take it', () => members.every((member) => member.version() === 1));
  t.diagnostic(`20 instances in ${Math.round(performance.now() - since)} ms at a heartbeat of 1 s`);

  let sent = 0;
  const traffic = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      for (const member of members) member.exchange('block');
      sent += members.length;
      await sleep(200);
    }
  };
  for (let kill = 0; kill < 2; kill += 1) {
    await traffic(10);
    await program.stop();
    await traffic(15);
    await begin();
  }
  await traffic(5);
  await until(
    'every event to be counted, once',
    async () => {
      const { signatures } = await call('GET', '/v1/analytics?hours=3');
      return (signatures as { count: number }[])[0]?.count === sent;
    },
    { timeoutMs: 90_000, heard: () => `sent ${sent}\n${program.output()}` },
  );
  assert.equal(((await call('GET', '/v1/fleet')).instances as unknown[]).length, 20, 'each is still the same instance');
  program.signal('SIGTERM');
  assert.equal(await program.exited, 0);
});
