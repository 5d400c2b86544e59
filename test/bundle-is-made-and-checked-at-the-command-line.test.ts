import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { signatureFile } from './helpers/bundle.ts';
import { guard, temporaryFolder } from './helpers/cli.ts';

test('a key is made, files are proven and signed with it, and the bundle is verified', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  const made = await guard(['signatures', 'keygen', '--out', at('key.pem')]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^ed25519:[A-Za-z0-9_-]{43}\n$/);
  assert.equal(statSync(at('key.pem')).mode & 0o777, 0o600);
  assert.ok(
    !made.stdout.includes('PRIVATE') && !made.stderr.includes('BEGIN'),
    'the private half is in the file alone',
  );
  const trust = made.stdout.trim();

  const again = await guard(['signatures', 'keygen', '--out', at('key.pem')]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists already/);

  const astray = await guard(['signatures', 'keygen', '--out', at('nowhere/key.pem')]);
  assert.equal(astray.code, 1);
  assert.match(astray.stderr, /nowhere\/key\.pem: cannot be written \(ENOENT\); make its folder first/);

  const file = folder.file('words.yaml', signatureFile('frobnicate'));
  const sign = ['signatures', 'sign', '--key', at('key.pem'), '--bundle-version', '3'];
  const signed = await guard([...sign, '--out', at('b3'), file]);
  assert.equal(signed.code, 0, signed.stderr);
  const verified = await guard(['signatures', 'verify', '--trust', trust, at('b3')]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /good; version 3, .*joins the shipped signatures: words\.yaml/);

  const bytes = readFileSync(at('b3'));
  bytes[bytes.length - 10] = bytes[bytes.length - 10]! ^ 1;
  folder.file('changed', bytes);
  const changed = await guard(['signatures', 'verify', '--trust', trust, at('changed')]);
  assert.deepEqual([changed.code, /\(tampered\)/.test(changed.stderr)], [1, true], changed.stderr);

  const none = folder.file('none.yaml', 'category: jailbreak\nsignatures: []\n');
  const blind = await guard([...sign, '--replace', '--out', at('b4'), none]);
  assert.equal(blind.code, 1);
  assert.match(blind.stderr, /takes the place of the shipped signatures and holds none/);

  const liar = folder.file('liar.yaml', signatureFile('frobnicate', { keeps: false }));
  const refused = await guard([...sign, '--out', at('b4'), liar]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is not found/);
  assert.throws(() => statSync(at('b4')), 'an unproven bundle is not even written');
});

test('no bundle is signed that no proxy could read, and the reason is named', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);
  assert.equal((await guard(['signatures', 'keygen', '--out', at('key.pem')])).code, 0);
  const file = folder.file('words.yaml', signatureFile('frobnicate'));
  const oddName = folder.file('two words.yaml', signatureFile('frobnicate'));
  mkdirSync(at('empty'));
  const sign = async (key: string, path: string): Promise<readonly [number | null, string]> => {
    const run = await guard(['signatures', 'sign', '--key', key, '--bundle-version', '1', '--out', at('b'), path]);
    return [run.code, run.stderr];
  };
  for (const [key, path, says] of [
    ['no.pem', file, /no\.pem: cannot be read/],
    ['words.yaml', file, /words\.yaml: holds no ed25519 private key/],
    ['key.pem', at('empty'), /holds no file; a folder is searched for \.yaml and \.yml/],
    ['key.pem', oddName, /the name of 'two words\.yaml' must be .* letters, digits/],
  ] as const) {
    const [code, stderr] = await sign(at(key), path);
    assert.equal(code, 1, stderr);
    assert.match(stderr, says);
    assert.ok(!existsSync(at('b')));
  }
});

const MISUSES: readonly (readonly [string[], RegExp])[] = [
  [['keygen'], /--out is needed/],
  [['sign', '--key', 'k', '--out', 'o', 'x'], /needs --bundle-version/],
  [['sign', '--key', 'k', '--out', 'o', '--bundle-version', '0', 'x'], /whole number from 1/],
  [['sign', '--key', 'k', '--out', 'o', '--bundle-version', '1'], /needs the files or folders/],
  [
    ['sign', '--key', 'k', '--out', 'o', '--bundle-version', '1', '--min-engine', 'banana', 'x'],
    /--min-engine takes .*1\.2\.0/,
  ],
  [['verify', 'x'], /needs --trust/],
  [['verify', '--trust', 'rubbish', 'x'], /takes a public key/],
  [['lint', '--trust', 'x'], /signatures lint takes no --trust/],
  [['keygen', '--out', 'o', '--replace'], /signatures keygen takes no --replace/],
];

for (const [args, message] of MISUSES) {
  test(`called wrongly: signatures ${args.join(' ')}`, async () => {
    const { code, stderr } = await guard(['signatures', ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  });
}
