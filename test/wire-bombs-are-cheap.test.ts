import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { extract, type Extraction } from '../src/wire/index.ts';

function read(body: string): Extraction {
  return extract({
    bytes: Buffer.from(body),
    wire: 'openai',
    direction: 'request',
    path: '/v1/chat/completions',
    contentType: 'application/json',
    contentEncoding: '',
  });
}

const MB10 = 10_000_000;
const filled = (open: string, unit: string, close: string): string => open + unit.repeat(MB10 / unit.length) + close;
const levels = (open: string, close: string): string =>
  open.repeat(MB10 / 2 / open.length) + close.repeat(MB10 / 2 / open.length);

/** Ten megabytes each, built to make a parser slow, or deep, or big. */
const BOMBS: readonly (readonly [what: string, body: string, expected: string])[] = [
  ['empty objects', filled('[', '{},', '{}]'), 'text'],
  ['empty objects with blanks in them', filled('[', '{ },', '{}]'), 'text'],
  ['opening brackets', '['.repeat(MB10), 'text'],
  ['balanced brackets', levels('[', ']'), 'text'],
  ['nested objects', levels('{"a":', '}'), 'too-many-strings'],
  ['distinct keys', `{${Array.from({ length: 900_000 }, (_, n) => `"k${n}":1`).join()}}`, 'too-many-strings'],
  ['empty strings', filled('[', '"",', '""]'), 'too-many-strings'],
  ['messages of one letter', filled('{"messages":[', '{"role":"user","content":"x"},', '{}]}'), 'too-many-strings'],
  ['parts of one key', filled('{"messages":[{"content":[', '{"a":1},', '{}]}]}'), 'too-many-strings'],
  ['escaped letters', filled('["', '\\u0041', '"]'), 'text'],
  ['refused escapes', filled('["', '\\q', '"]'), 'text'],
  ['long strings of refused escapes', filled('[', `"${'\\q'.repeat(40)}",`, '1]'), 'text'],
  ['backslashes', filled('["', '\\\\', '"]'), 'text'],
  ['numbers', filled('[', '0.125,', '1]'), 'text'],
  ['letters that are no JSON', filled('{', 'x ', ''), 'text'],
  [
    'lists and objects in no order',
    Array.from({ length: MB10 }, (_, n) => ((n * n) % 7 < 3 ? '[' : '{')).join(''),
    'text',
  ],
  ['blanks before a document', `${' '.repeat(MB10)}{"a":1}`, 'text'],
  ['blanks that are no spaces', `${'\u2003'.repeat(MB10 / 3)}{"a":1}`, 'text'],
  ['numbers in lists in lists', filled('[', '[1],', '1]'), 'text'],
  ['digits of one number', `[${'1'.repeat(MB10)}]`, 'text'],
  ['quotes that are no JSON', filled('{', "'", ''), 'text'],
];

for (const [what, body, expected] of BOMBS) {
  test(`ten megabytes of ${what} are read or refused in a fraction of the time that a scan has`, () => {
    const before = process.cpuUsage();
    const extraction = read(body);
    const { user, system } = process.cpuUsage(before);
    equal(extraction.kind === 'text' ? 'text' : extraction.reason, expected);
    // Four times what it takes on an idle machine: the suite shares its cores.
    ok(user + system < 600_000, `${Math.round((user + system) / 1000)} ms`);
  });
}

test('ten megabytes of characters among bytes that are no text are read without a stack that overflows', () => {
  const bytes = Buffer.concat([
    Buffer.from([0, 255, 0, 1, 2, 3]),
    Buffer.alloc(MB10, 'a'),
    Buffer.from('Here it says.'),
  ]);
  const extraction = extract({
    bytes,
    wire: 'openai',
    direction: 'request',
    path: '/v1/chat/completions',
    contentType: 'application/octet-stream',
    contentEncoding: '',
  });
  ok(extraction.kind === 'text');
  ok(extraction.passages.some(({ text }) => text.endsWith('Here it says.')));
});
