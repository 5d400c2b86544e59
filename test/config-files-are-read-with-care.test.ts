import { formatProblem } from '../src/domain/problem.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { loadConfig } from '../src/config/load.ts';
import { temporaryFolder } from './helpers/cli.ts';

const folder = temporaryFolder();
after(() => folder.remove());

const load = (file: string, env: NodeJS.ProcessEnv = {}) => loadConfig({ file, env });
const problems = (file: string, env: NodeJS.ProcessEnv = {}) =>
  load(file, env)
    .problems.map(formatProblem)
    .map((problem) => problem.replaceAll(`${folder.path}/`, ''));

test('a file that is missing, a folder, too large or no text says so', () => {
  mkdirSync(join(folder.path, 'folder'));
  symlinkSync('circle', join(folder.path, 'circle'));
  folder.file('large.yaml', '#'.repeat(1_048_577));
  folder.file('utf16.yaml', Buffer.from('\ufeffserver:\n', 'utf16le'));
  folder.file('plain', 'x');
  assert.deepEqual(problems(join(folder.path, 'missing.yaml')), ['missing.yaml: there is no such file']);
  assert.deepEqual(problems(join(folder.path, 'folder')), ['folder: this is a folder, not a file']);
  assert.deepEqual(problems(join(folder.path, 'plain', 'x')), ['plain/x: a part of the path is not a folder']);
  assert.deepEqual(problems(join(folder.path, 'circle')), ['circle: symbolic links lead in a circle']);
  assert.deepEqual(problems(join(folder.path, 'large.yaml')), ['large.yaml: larger than 1048576 bytes']);
  assert.deepEqual(problems(join(folder.path, 'utf16.yaml')), ['utf16.yaml: not UTF-8 text']);
});

test('a device and a pipe that nobody writes to are refused at once', () => {
  assert.deepEqual(problems('/dev/zero'), ['/dev/zero: not a file']);
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  assert.deepEqual(problems(pipe), ['pipe: not a file']);
});

test(
  'a file that this user may not read says so',
  { skip: process.getuid?.() === 0 && 'root may read everything' },
  () => {
    const file = folder.file('locked.yaml', '');
    chmodSync(file, 0o000);
    assert.deepEqual(problems(file), ['locked.yaml: this user may not read it']);
  },
);

test('a file of exactly the largest size is read', () => {
  const file = folder.file('exact.yaml', `#${' '.repeat(1_048_575)}`);
  assert.deepEqual(problems(file), []);
});

test('secrets are read from files named in the configuration, beside it', () => {
  folder.file('key', ' s3cret-key \r\n');
  folder.file('store', 'rediss://:pa55@redis:6379/0\n');
  const file = folder.file('secrets.yaml', 'control_plane: { api_key_file: key }\nrate_limit: { store_file: store }\n');
  const { config } = load(file);
  assert.equal(config?.control_plane.api_key, 's3cret-key');
  assert.equal(config?.rate_limit.store, 'rediss://:pa55@redis:6379/0');
  assert.ok(!('api_key_file' in config.control_plane) && !('store_file' in config.rate_limit));
});

test('a secret file may be named by a variable, which beats the value in the file', () => {
  const key = folder.file('other-key', 'from-a-file\n');
  const file = folder.file('key.yaml', 'control_plane: { api_key: from-yaml }\n');
  assert.equal(load(file, { GUARD_CONTROL_PLANE_API_KEY_FILE: key }).config?.control_plane.api_key, 'from-a-file');
  assert.equal(load(file, { GUARD_CONTROL_PLANE__API_KEY_FILE: key }).config?.control_plane.api_key, 'from-a-file');
  assert.equal(
    load(file, { GUARD_RATE_LIMIT__STORE_FILE: folder.file('s', 'redis://h') }).config?.rate_limit.store,
    'redis://h',
  );
  const named = folder.file('named.yaml', 'control_plane: { api_key_file: other-key }\n');
  assert.equal(load(named, { GUARD_CONTROL_PLANE_API_KEY: 'from-env' }).config?.control_plane.api_key, 'from-env');
});

test('a secret given both ways, missing or empty is a problem, and its text is never shown', () => {
  const key = folder.file('shown', 'hunter2 with spaces');
  folder.file('empty', ' \n');
  const yaml = (text: string) => folder.file('both.yaml', text);
  assert.deepEqual(problems(yaml('control_plane: { api_key: k, api_key_file: shown }')), [
    'both.yaml:1:44 control_plane.api_key_file: give either api_key or api_key_file, not both',
  ]);
  assert.deepEqual(problems(yaml(''), { GUARD_CONTROL_PLANE_API_KEY: 'k', GUARD_CONTROL_PLANE_API_KEY_FILE: key }), [
    'environment GUARD_CONTROL_PLANE_API_KEY_FILE: give either api_key or api_key_file, not both',
  ]);
  assert.deepEqual(problems(yaml('control_plane: { api_key_file: nowhere }')), [
    'both.yaml:1:32 control_plane.api_key_file: nowhere: there is no such file',
  ]);
  assert.deepEqual(problems(yaml('control_plane: { api_key_file: empty }')), [
    'both.yaml:1:32 control_plane.api_key_file: empty: the file is empty',
  ]);
  assert.deepEqual(problems(yaml('control_plane: { api_key_file: shown }')), [
    'both.yaml:1:32 control_plane.api_key: expected a key of visible ASCII characters without spaces',
  ]);
});
