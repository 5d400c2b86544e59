import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, constantFrom, integer, property } from 'fast-check';
import { hasMoreLiterals } from '../src/text/count-literals.ts';
import { everyString } from './helpers/every-string.ts';
import { extracted } from './helpers/extracted.ts';

test('no document is said to have more strings than are read of it', () => {
  const part = constantFrom('"', '\\', '\\"', '"a"', '"a":', '{', '}', '[', ']', ',', ' ', '1', '"\\\\"', '"\\\\\\""');
  holds(
    property(array(part, { maxLength: 60 }), integer({ min: 0, max: 20 }), (parts, most) => {
      const text = parts.join('');
      if (hasMoreLiterals(text, most)) ok(everyString(text).strings.length > most, text);
    }),
    { numRuns: 3000 },
  );
});

test('a document with more strings than there may be is told as soon as it has one too many', () => {
  const list = (count: number): string => `[${Array.from({ length: count }, (_, n) => `"${n}"`).join()}]`;
  equal(hasMoreLiterals(list(9), 10), false);
  equal(hasMoreLiterals(list(10), 10), false);
  equal(hasMoreLiterals(list(11), 10), true);
  equal(hasMoreLiterals(list(12), 10), true);
});

test('half a million strings are read, and some more are refused, whichever way they are written', () => {
  const read = (body: string): string => {
    const extraction = extracted(body);
    return extraction.kind === 'text' ? 'text' : extraction.reason;
  };
  const list = (count: number, string: string): string => `[${`${string},`.repeat(count - 1)}${string}]`;
  equal(read(list(499_999, '"a"')), 'text');
  equal(read(list(500_001, '"a"')), 'too-many-strings');
  // None of these quotes may be the end of a literal, so they have to be read to be counted.
  equal(read(list(500_001, '"\\\\"')), 'too-many-strings');
});
