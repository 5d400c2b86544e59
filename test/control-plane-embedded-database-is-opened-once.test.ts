import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { lockFolder } from '../src/control-plane/server/folder-lock.ts';
import { openDatabase } from '../src/control-plane/server/open-database.ts';
import { guard, temporaryFolder } from './helpers/cli.ts';

const IN_USE = /storage\.folder: (\S+) is in use by another control plane/;

test('a second server on the folder of an embedded database does not start, and says which folder', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const open = () => openDatabase({ url: 'embedded', folder: folder.path, connections: 1 }, () => {});
  const first = await open();
  await assert.rejects(open(), IN_USE);

  const file = folder.file('plane.yaml', JSON.stringify({ server: { port: 0 }, storage: { folder: folder.path } }));
  const second = await guard(['control-plane', '-c', file]);
  assert.equal(second.code, 1, second.stderr);
  assert.equal(IN_USE.exec(second.stderr)?.[1], folder.path, second.stderr);

  await first.query(`insert into guard.groups (name) values ('acknowledged')`);
  await first.close();
  const again = await open();
  t.after(() => again.close());
  const kept = await again.query(`select name from guard.groups where name = 'acknowledged'`);
  assert.equal(kept.length, 1, 'the refused one has changed nothing');
});

test('the lock of a server that was killed is gone with it', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const lock = new URL('../src/control-plane/server/folder-lock.js', import.meta.url).href;
  const script = `import { lockFolder } from ${JSON.stringify(lock)};
    lockFolder(${JSON.stringify(folder.path)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.throws(() => lockFolder(folder.path), IN_USE);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const unlock = lockFolder(folder.path);
  assert.throws(() => lockFolder(folder.path), IN_USE);
  unlock();
  lockFolder(folder.path)();
});

test('without the program that locks, the embedded database is not opened, and the reason names it', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const file = folder.file('plane.yaml', JSON.stringify({ server: { port: 0 }, storage: { folder: folder.path } }));
  const { code, stderr } = await guard(['control-plane', '-c', file], { PATH: folder.path });
  assert.equal(code, 1);
  assert.match(stderr, /needs the program flock \(package util-linux\)/);
});
