import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_BUNDLE_BYTES, older, openBundle, signBundle, type BundleFault } from '../src/control-plane/bundle.ts';
import { readPublicKey, readSigningKey } from '../src/control-plane/bundle-keys.ts';
import { mergeSignatures, readPayload } from '../src/control-plane/bundle-payload.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { bundleBy, keyPair, signatureFile } from './helpers/bundle.ts';

const mine = keyPair();
const next = keyPair();
const stranger = keyPair();
const now = Date.now();
const trusting = { trusted: [mine.trusted, next.trusted], now, engine: '0.1.0', floor: 0, held: null };

/** Replaces bytes of the same length, so that nothing but the content differs. */
function altered(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from);
  assert.ok(at >= 0 && from.length === to.length, from);
  const copy = Buffer.from(bytes);
  copy.write(to, at, 'latin1');
  return copy;
}

const digestOf = (bytes: Buffer): string => {
  const opened = openBundle(bytes, trusting);
  assert.equal(opened.kind, 'opened');
  return opened.kind === 'opened' ? opened.bundle.digest : '';
};

test('a bundle is taken when any trusted key signed it, so keys can be rotated', () => {
  for (const pair of [mine, next]) {
    const opened = openBundle(bundleBy(pair, { version: 7 }), trusting);
    assert.equal(opened.kind, 'opened');
    if (opened.kind !== 'opened') return;
    assert.equal(opened.bundle.manifest.version, 7);
    assert.equal(opened.bundle.manifest.key_id, pair.id);
    assert.equal(opened.bundle.payload.files[0]?.name, 'test.yaml');
  }
  const old = openBundle(bundleBy(mine), { ...trusting, trusted: [next.trusted] });
  assert.deepEqual(old, { kind: 'refused', fault: 'bad-signature', manifest: null });
});

const good = bundleBy(mine, { version: 5 });
const signed = (manifest: object): Buffer =>
  signBundle(
    Buffer.from('{}'),
    { version: 5, created: '', expires: '', min_engine: '0', ...manifest } as never,
    mine.signer,
  );

const REFUSED: readonly (readonly [string, BundleFault, Buffer, object?])[] = [
  ['nothing', 'malformed', Buffer.alloc(0)],
  ['something else', 'malformed', Buffer.from('{"signatures":[]}')],
  ['only the first line', 'malformed', Buffer.from('guard-bundle 1\n')],
  ['another format', 'malformed', altered(good, 'guard-bundle 1', 'guard-bundle 2')],
  ['more bytes than allowed', 'oversize', Buffer.alloc(MAX_BUNDLE_BYTES + 1)],
  ['a manifest without an end', 'malformed', Buffer.from(`guard-bundle 1\n${'x'.repeat(5000)}`)],
  ['no trusted key at all', 'no-trust', good, { trusted: [] }],
  ['the signature of a stranger', 'bad-signature', bundleBy(stranger)],
  ['a manifest changed after it was signed', 'bad-signature', altered(good, '"version":5', '"version":6')],
  ['an expiry moved', 'bad-signature', altered(good, `"expires":"20`, `"expires":"21`)],
  ['a payload changed after it was signed', 'tampered', altered(good, 'frobnicate', 'frobnicats')],
  ['a payload cut short', 'tampered', good.subarray(0, good.length - 1)],
  ['a payload that grew', 'tampered', Buffer.concat([good, Buffer.from(' ')])],
  ['an expiry that has passed', 'expired', bundleBy(mine, { expires: now - 1 })],
  ['a birth in the future', 'not-yet', bundleBy(mine, { created: now + 3_600_000 })],
  ['a newer engine than ours', 'engine', bundleBy(mine, { minEngine: '0.2.0' })],
  [
    'a version below the one that was in force before this one',
    'rollback',
    good,
    { floor: 6, held: { version: 9, digest: 'x' } },
  ],
  ['the version in force with other bytes', 'conflict', good, { held: { version: 5, digest: 'x' } }],
  ['a version that is no number', 'malformed', signed({ version: '5' })],
  ['a version of zero', 'malformed', signed({ version: 0 })],
  ['a moment that is none', 'malformed', signed({ created: 'soon', expires: '2099-01-01T00:00:00Z' })],
  [
    'a payload of another shape',
    'unreadable',
    signed({ created: '2020-01-01T00:00:00Z', expires: '2099-01-01T00:00:00Z' }),
  ],
];

for (const [what, fault, bytes, change] of REFUSED) {
  test(`refused: ${what}`, () => {
    const opened = openBundle(bytes, { ...trusting, ...change });
    assert.equal(opened.kind === 'refused' ? opened.fault : 'opened', fault);
  });
}

test('the bundle in force itself is no rollback, a newer one follows it, and it can be withdrawn by one step', () => {
  assert.equal(openBundle(good, { ...trusting, floor: 5, held: { version: 6, digest: 'x' } }).kind, 'opened');
  assert.equal(openBundle(good, { ...trusting, held: { version: 5, digest: digestOf(good) } }).kind, 'opened');
  assert.equal(
    openBundle(bundleBy(mine, { version: 6 }), { ...trusting, held: { version: 5, digest: 'x' } }).kind,
    'opened',
  );
});

test('every single changed byte of the head, and any byte of the payload, is noticed', () => {
  const head = good.indexOf('\n', good.indexOf('\n', 15) + 1) + 1;
  for (let at = 0; at < good.length; at += at < head ? 1 : 17) {
    const copy = Buffer.from(good);
    copy[at] = copy[at]! ^ 1;
    assert.equal(openBundle(copy, trusting).kind, 'refused', `byte ${at}`);
  }
});

test('versions are compared as numbers, part by part', () => {
  assert.ok(older('0.9.0', '0.10.0') && older('1', '1.0.1') && !older('1.0.0', '1.0') && !older('2', '1.9.9'));
});

test('keys are read in one spelling only', () => {
  assert.equal(readPublicKey(mine.publicKey)?.id, mine.id);
  for (const text of ['', 'ed25519:', mine.publicKey.slice(8), `${mine.publicKey}AA`, 'rsa:AAAA', mine.pem])
    assert.equal(readPublicKey(text), null, text.slice(0, 20));
  assert.equal(readSigningKey(mine.pem)?.id, mine.id);
  assert.equal(readSigningKey('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'), null);
});

test('a payload names each file once, by a plain name', () => {
  const of = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const file = { name: 'a.yaml', text: '' };
  assert.ok(readPayload(of({ mode: 'add', files: [file] })) !== null);
  for (const value of [
    null,
    {},
    { mode: 'add', files: [] },
    { mode: 'merge', files: [file] },
    { mode: 'add', files: [file, file] },
    { mode: 'add', files: [{ name: '../a.yaml', text: '' }] },
    { mode: 'add', files: [{ name: 'a.yaml' }] },
    { mode: 'add', files: Array.from({ length: 257 }, (_, i) => ({ name: `${i}.yaml`, text: '' })) },
  ])
    assert.equal(readPayload(of(value)), null, JSON.stringify(value).slice(0, 60));
  assert.equal(readPayload(Buffer.from([0xff, 0xfe])), null);
});

test('signatures of a bundle join the shipped ones, mend one of the same id, or replace them all; own files stay', () => {
  const shipped = loadSignatures().signatures;
  const own = { ...shipped[0]!, id: 'our-own', source: { file: '/etc/guard/own.yaml', line: 1 } };
  const local = [...shipped, own];
  const payload = (mode: 'add' | 'replace', id?: string) => ({
    mode,
    files: [{ name: 'a.yaml', text: signatureFile('frobnicate', id === undefined ? {} : { id }) }],
  });
  const ids = (merged: { signatures: readonly { id: string }[] }): string[] => merged.signatures.map(({ id }) => id);

  const joined = mergeSignatures(local, payload('add'), []);
  assert.deepEqual([joined.problems.length, joined.signatures.length], [0, local.length + 1]);
  const mended = mergeSignatures(local, payload('add', shipped[0]!.id), []);
  assert.deepEqual([mended.problems.length, mended.signatures.length], [0, local.length]);
  assert.equal(mended.signatures.find(({ id }) => id === shipped[0]!.id)?.name, 'Says frobnicate');
  assert.deepEqual(ids(mergeSignatures(local, payload('replace'), [])), ['our-own', 'says-frobnicate']);
  assert.deepEqual(ids(mergeSignatures(local, payload('replace'), ['says-frobnicate'])), ['our-own']);
  assert.match(
    mergeSignatures(local, payload('add', 'our-own'), []).problems[0]!.message,
    /is used by the signature bundle/,
  );
  const broken = { mode: 'add' as const, files: [{ name: 'a.yaml', text: 'signatures: [' }] };
  assert.ok(mergeSignatures(local, broken, []).problems.length > 0);
});
