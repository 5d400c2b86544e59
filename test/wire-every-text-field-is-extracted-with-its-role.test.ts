import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import type { ScanJob, WireName } from '../src/domain/job.ts';
import type { Role } from '../src/domain/passage.ts';
import { extracted } from './helpers/extracted.ts';

interface Field {
  readonly wire: WireName;
  readonly path: string;
  readonly role: Role;
  readonly body: unknown;
}

const FIELDS = JSON.parse(readFileSync(new URL('./fixtures/wire/fields.json', import.meta.url), 'utf8')) as Field[];
const SHORT = 'kumquat lantern';
const LONG = 'the kumquat lantern hums quietly behind the seventh door of the old observatory';

/** `@@` is the marker itself; with `data` or `b64` behind it, a text file that holds it. */
function bodyOf(field: Field, marker: string): string {
  const file = Buffer.from(`A file about nothing. ${marker}. ${'More of nothing. '.repeat(40)}`).toString('base64');
  return JSON.stringify(field.body)
    .replaceAll('@@data', `data:text/plain;base64,${file}`)
    .replaceAll('@@b64', file)
    .replaceAll('@@', marker);
}

/** The role of every passage that holds the marker. */
function rolesOf(field: Field, marker: string, job: Partial<ScanJob>): readonly Role[] {
  const extraction = extracted(bodyOf(field, marker), { wire: field.wire, path: field.path, ...job });
  ok(extraction.kind === 'text', `${field.path}: ${JSON.stringify(extraction)}`);
  const roles = extraction.passages.filter(({ text }) => text.includes(marker)).map(({ role }) => role);
  return [...new Set(roles)];
}

const name = ({ wire, path, body }: Field): string => `${wire} ${path} ${JSON.stringify(body)}`;

test('every field of the inventory is extracted and labelled, short or long', () => {
  for (const marker of [SHORT, LONG]) {
    const wrong = FIELDS.map((field) => [name(field), field.role, ...rolesOf(field, marker, {})]).filter(
      ([, expected, ...roles]) => roles.length !== 1 || roles[0] !== expected,
    );
    deepEqual(wrong, []);
  }
});

const UTF16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** The same text in other clothes: neither finding nor label may change. */
const CLOTHES: readonly (readonly [name: string, dress: (body: string) => Partial<ScanJob>])[] = [
  ['no content type', (body) => ({ bytes: Buffer.from(body), contentType: '' })],
  ['labelled text/plain', (body) => ({ bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' })],
  ['labelled as a form', (body) => ({ bytes: Buffer.from(body), contentType: 'application/x-www-form-urlencoded' })],
  ['labelled multipart', (body) => ({ bytes: Buffer.from(body), contentType: 'multipart/form-data; boundary=x' })],
  ['labelled octet-stream', (body) => ({ bytes: Buffer.from(body), contentType: 'application/octet-stream' })],
  ['gzip', (body) => ({ bytes: zlib.gzipSync(body), contentEncoding: 'GZip' })],
  ['br', (body) => ({ bytes: zlib.brotliCompressSync(body), contentEncoding: 'br' })],
  ['deflate', (body) => ({ bytes: zlib.deflateSync(body), contentEncoding: 'deflate' })],
  ['raw deflate', (body) => ({ bytes: zlib.deflateRawSync(body), contentEncoding: 'deflate' })],
  [
    'gzip in br',
    (body) => ({ bytes: zlib.brotliCompressSync(zlib.gzipSync(body)), contentEncoding: 'gzip, identity, br' }),
  ],
  ['UTF-8 with a mark', (body) => ({ bytes: Buffer.from(`\ufeff${body}`) })],
  ['UTF-16LE with a mark', (body) => ({ bytes: UTF16(`\ufeff${body}`) })],
  ['UTF-16BE with a mark', (body) => ({ bytes: UTF16(`\ufeff${body}`).swap16() })],
];

for (const [clothes, dress] of CLOTHES) {
  test(`every field is found in a body that is ${clothes}`, () => {
    const wrong = FIELDS.filter((field) => {
      const roles = rolesOf(field, LONG, dress(bodyOf(field, LONG)));
      return roles.length !== 1 || roles[0] !== field.role;
    });
    deepEqual(wrong.map(name), []);
  });
}

test('every field is found in UTF-16 without a mark, and nothing is believed to be milder than it was', () => {
  const mild: ReadonlySet<Role> = new Set(['system', 'developer', 'assistant', 'tool_definition']);
  const wrong = FIELDS.filter((field) => {
    const roles = rolesOf(field, LONG, { bytes: UTF16(bodyOf(field, LONG)) });
    return !roles.includes(mild.has(field.role) ? 'other' : field.role) || roles.some((role) => mild.has(role));
  });
  deepEqual(wrong.map(name), []);
});
