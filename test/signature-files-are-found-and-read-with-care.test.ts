/** Signature files of an operator's own, as mounts, editors and mistakes leave them in a folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatProblem } from '../src/domain/problem.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { guard, temporaryFolder } from './helpers/cli.ts';
import { FEW_SIGNATURES } from './helpers/few-signatures.ts';
import { startGuard } from './helpers/guard.ts';
import { startProcess } from './helpers/process.ts';
import { ask, get, post } from './helpers/raw-client.ts';

const folder = temporaryFolder();
after(() => folder.remove());

const sound = (id: string, word: string): string =>
  `category: jailbreak\nsignatures:\n  - id: ${id}\n    name: Our ${id}\n    confidence: 0.95\n    why: a test\n    patterns: ['${word}']\n    matches: [${word}, say ${word}, ${word} now]\n    ignores: [a word, another]\n`;

/** Makes a folder and returns its path. */
function made(...names: string[]): string {
  const path = join(folder.path, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

function mountOfConfigMap(name: string): string {
  const path = made(name);
  made(name, '..2026_11_30');
  folder.file(`${name}/..2026_11_30/shop.yaml`, sound('shop-one', 'zyxshop'));
  symlinkSync('..2026_11_30', join(path, '..data'));
  symlinkSync('..data/shop.yaml', join(path, 'shop.yaml'));
  return path;
}

function read(...paths: string[]): { files: string[]; problems: string[] } {
  const { signatures, problems } = loadSignatures(paths);
  const own = signatures.filter(({ source }) => source.file.startsWith(folder.path));
  const short = (text: string): string => text.replaceAll(`${folder.path}/`, '');
  return {
    files: own.map(({ source }) => short(source.file)),
    problems: problems.map(formatProblem).map(short),
  };
}

test('a folder that Kubernetes mounts from a ConfigMap is read once, under the names that the operator gave', async (t) => {
  const mount = mountOfConfigMap('mount');
  assert.deepEqual(read(mount), { files: ['mount/shop.yaml'], problems: [] });
  const { service, port } = await startGuard({
    config: { signatures: { ...FEW_SIGNATURES.signatures, paths: [mount] }, scanner: { likeness: false } },
  });
  t.after(() => service.close());
  assert.match((await ask(port, post('/check', '{"text":"say zyxshop now"}'))).body.toString(), /Our shop-one/);
});

test('while Kubernetes changes a ConfigMap both of its versions lie there, and only the one in force is read', () => {
  const mount = mountOfConfigMap('changing');
  made('changing', '..2026_12_01');
  folder.file('changing/..2026_12_01/shop.yaml', sound('shop-one', 'zyxnew'));
  assert.deepEqual(read(mount), { files: ['changing/shop.yaml'], problems: [] });
});

test('what begins with a dot is not read in a folder, and is read where it is named', () => {
  const path = made('dots');
  folder.file('dots/seen.yaml', sound('seen', 'zyxseen'));
  folder.file('dots/.hidden.yaml', sound('hidden', 'zyxhidden'));
  made('dots', '.git');
  folder.file('dots/.git/kept.yaml', sound('kept', 'zyxkept'));
  assert.deepEqual(read(path), { files: ['dots/seen.yaml'], problems: [] });
  assert.deepEqual(read(join(path, '.hidden.yaml'), join(path, '.git')), {
    files: ['dots/.hidden.yaml', 'dots/.git/kept.yaml'],
    problems: [],
  });
});

test('a file that is reached in several ways is read once, and folders that link to each other end', () => {
  const path = made('twice');
  folder.file('twice/a.yaml', sound('a-one', 'zyxa'));
  symlinkSync('a.yaml', join(path, 'b.yaml'));
  symlinkSync('.', join(path, 'self'));
  made('twice', 'below');
  folder.file('twice/below/c.yml', sound('c-one', 'zyxc'));
  symlinkSync('..', join(path, 'below', 'up'));
  const files = ['twice/a.yaml', 'twice/below/c.yml'];
  assert.deepEqual(read(path), { files, problems: [] });
  assert.deepEqual(read(path, join(path, 'a.yaml'), path), { files, problems: [] });
});

test('a file that cannot be opened is a problem with its place, and the others are read', () => {
  const path = made('broken');
  folder.file('broken/a.yaml', sound('broken-a', 'zyxa'));
  symlinkSync('nowhere.yaml', join(path, 'dangling.yaml'));
  made('broken', 'folder.yaml');
  execFileSync('mkfifo', [join(path, 'pipe.yaml')]);
  const { files, problems } = read(path);
  assert.deepEqual(files, ['broken/a.yaml']);
  assert.deepEqual(problems, [
    'broken/dangling.yaml:1:1: there is no such file',
    'broken/folder.yaml:1:1: this is a folder, not a file',
    'broken/pipe.yaml:1:1: not a file',
  ]);
});

test(
  'a file that this user may not read is a problem with its place',
  { skip: process.getuid?.() === 0 && 'root may read everything' },
  () => {
    const path = made('locked');
    chmodSync(folder.file('locked/a.yaml', sound('locked-a', 'zyxa')), 0o000);
    assert.deepEqual(read(path).problems, ['locked/a.yaml:1:1: this user may not read it']);
  },
);

test('a file in another encoding than UTF-8 is a problem: its patterns would find nothing', async () => {
  const text = sound('fee', 'erlasse mir die gebühr');
  const latin = folder.file('latin.yaml', Buffer.from(text, 'latin1'));
  assert.deepEqual(read(latin), { files: [], problems: ['latin.yaml:1:1: not UTF-8 text'] });
  assert.deepEqual(read(folder.file('marked.yaml', `\ufeff${text}`)).problems, []);
  const linted = await guard(['signatures', 'lint', latin]);
  assert.deepEqual([linted.code, /latin\.yaml:1:1: not UTF-8 text/.test(linted.stderr)], [1, true], linted.stderr);
});

test('no command ends with an exception when a signature file cannot be opened', async () => {
  const path = made('dangling');
  folder.file('dangling/a.yaml', sound('dangling-a', 'zyxa'));
  symlinkSync('nowhere.yaml', join(path, 'b.yaml'));
  const config = folder.file(
    'dangling-config.yaml',
    JSON.stringify({ signatures: { paths: [path], disabled: ['dangling-a'] } }),
  );
  const calls = [
    ['config', 'check', '-c', config],
    ['check', '-c', config, 'hello'],
    ['serve', '-c', config],
  ];
  for (const args of calls) {
    const { code, stderr } = await guard(args);
    assert.equal(code, 78, stderr);
    assert.match(stderr, /^\S+\/dangling\/b\.yaml:1:1: there is no such file\n$/);
  }
});

test('a pipe or a dangling link that appears beside signatures makes a reload fail and keeps nobody waiting', async (t) => {
  const path = made('live');
  folder.file('live/a.yaml', sound('live-a', 'zyxlive'));
  const running = await startProcess({
    server: { host: '127.0.0.1', port: 0, shutdown_delay_ms: 0 },
    upstreams: {},
    scanner: { threads: 1, likeness: false },
    signatures: { ...FEW_SIGNATURES.signatures, paths: [path] },
  });
  t.after(() => running.close());
  symlinkSync('nowhere', join(path, 'b.yaml'));
  execFileSync('mkfifo', [join(path, 'c.yaml')]);
  running.child.kill('SIGHUP');
  const said = (): string | undefined => running.lines().find((line) => line.includes('not reloaded'));
  for (const until = performance.now() + 30_000; said() === undefined && performance.now() < until;) await sleep(50);
  assert.match(said() ?? '', /live\/b\.yaml:1:1: there is no such file.*live\/c\.yaml:1:1: not a file/);
  assert.equal((await ask(running.port, get('/healthz'))).status, 200);
  assert.match((await ask(running.port, post('/check', '{"text":"say zyxlive now"}'))).body.toString(), /Our live-a/);
});
