import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { extracted, readableBody } from './helpers/extracted.ts';

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

/** Milliseconds of the processor, the least of up to three runs: others share its cores, and nothing makes one faster. */
function leastTime(run: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let turn = 0; turn < 3 && least > enough; turn++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * Four times what the slowest takes on an idle machine that is fast; on any other, what the engine itself takes for
 * ten megabytes of lists (twice the slowest bomb, wherever both were measured).
 */
const BAR = Math.max(
  600,
  leastTime(() => JSON.parse(filled('[', '[1],', '1]'))),
);

for (const [what, body, expected] of BOMBS) {
  test(`ten megabytes of ${what} are read or refused in a fraction of the time that a scan has`, () => {
    const extraction = extracted(body);
    equal(extraction.kind === 'text' ? 'text' : extraction.reason, expected);
    const took = leastTime(() => extracted(body), BAR);
    ok(took < BAR, `${Math.round(took)} ms, and ${Math.round(BAR)} are the bar`);
  });
}

test('ten megabytes of characters among bytes that are no text are read without a stack that overflows', () => {
  const bytes = Buffer.concat([
    Buffer.from([0, 255, 0, 1, 2, 3]),
    Buffer.alloc(MB10, 'a'),
    Buffer.from('Here it says.'),
  ]);
  const { passages } = readableBody(bytes, { contentType: 'application/octet-stream' });
  ok(passages.some(({ text }) => text.endsWith('Here it says.')));
});
