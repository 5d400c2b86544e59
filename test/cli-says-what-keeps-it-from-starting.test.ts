import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { guard, temporaryFolder, type Folder } from './helpers/cli.ts';

async function taken(t: TestContext): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  t.after(() => holder.close());
  await once(holder, 'listening');
  return (holder.address() as AddressInfo).port;
}
function folderOf(t: TestContext): Folder {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return folder;
}
const QUICK = 'scanner: { threads: 1 }';

test('a port of the console that is in use is named as such, and not as the port of the proxy', async (t) => {
  const port = await taken(t);
  const file = folderOf(t).file(
    'a.yaml',
    `server: { host: 127.0.0.1, port: 0 }\n${QUICK}\nadmin: { enabled: true, port: ${port} }`,
  );
  const { code, stderr } = await guard(['-c', file]);
  assert.deepEqual(
    [code, stderr],
    [1, `guard: cannot start: 127.0.0.1:${port} is in use; choose another admin.port\n`],
  );
});

test('a port of the proxy that is in use is named as such, with a console beside it, and by a name of the machine', async (t) => {
  const port = await taken(t);
  const file = folderOf(t).file(
    'a.yaml',
    `server: { host: localhost, port: ${port} }\n${QUICK}\nadmin: { enabled: true, port: 0 }`,
  );
  const { code, stderr } = await guard(['-c', file]);
  assert.equal(code, 1);
  assert.match(stderr, /^guard: cannot start: localhost:\d+ is in use; choose another server\.port$/m);
});

test('a host that is no address and no name here is said to be that of its setting', async (t) => {
  const folder = folderOf(t);
  const away = folder.file('away.yaml', `server: { host: 192.0.2.1, port: 0 }\n${QUICK}`);
  assert.match((await guard(['-c', away])).stderr, /192\.0\.2\.1 is not an address of this machine; see server\.host/);
  const name = folder.file('name.yaml', `server: { host: nowhere.invalid, port: 0 }\n${QUICK}`);
  assert.match(
    (await guard(['-c', name])).stderr,
    /nowhere\.invalid is no host name that is known here .*see server\.host/,
  );
});

test('a control plane says which setting keeps it from starting, and repeats no password', async (t) => {
  const folder = folderOf(t);
  const port = await taken(t);
  const storage = `storage: { folder: ${folder.path}/data }`;
  const used = await guard(['control-plane', '-c', folder.file('used.yaml', `server: { port: ${port} }\n${storage}`)]);
  assert.deepEqual([used.code, used.stdout], [1, '']);
  assert.match(
    used.stderr,
    new RegExp(`cannot start: 127\\.0\\.0\\.1:${port} is in use; choose another server\\.port`),
  );
  const away = folder.file('away.yaml', 'storage: { url: "postgres://u:hunter2@127.0.0.1:1/x" }');
  const { stderr } = await guard(['control-plane', '-c', away]);
  assert.match(stderr, /cannot start: ECONNREFUSED: nothing listens where storage\.url says\n$/);
  assert.ok(!stderr.includes('hunter2'));
});
