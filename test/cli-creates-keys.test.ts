import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { guard } from './helpers/cli.ts';
import { configOf } from './helpers/config.ts';

test('the key alone goes to standard output, and the snippet beside it is a configuration that knows it', async () => {
  const { code, stdout, stderr } = await guard([
    'keys',
    'create',
    '--scope',
    'check',
    '--scope',
    'metrics,check',
    '--id',
    'ci',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^guard_[A-Za-z0-9_-]{43}\n$/);
  const key = stdout.trim();
  assert.ok(!stderr.includes(key), 'the key is shown once');
  const { auth } = configOf(stderr.slice(stderr.indexOf('auth:')));
  assert.deepEqual(auth.keys, [
    { id: 'ci', sha256: createHash('sha256').update(key).digest('hex'), scopes: ['check', 'metrics'] },
  ]);
});

test('every key is new, and so is a name that was not given', async () => {
  const [one, two] = await Promise.all([
    guard(['keys', 'create', '--scope', 'check']),
    guard(['keys', 'create', '--scope', 'check']),
  ]);
  assert.notEqual(one.stdout, two.stdout);
  const id = /id: "(key-[0-9a-f]{8})"/;
  assert.notEqual(id.exec(one.stderr)?.[1], id.exec(two.stderr)?.[1]);
  assert.match(one.stderr, id);
});
