import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, constantFrom, integer, property, string } from 'fast-check';
import { closeRepeats } from '../src/text/repeats.ts';
import { readableJson } from './helpers/extracted.ts';

/** Longer than any window of a signature. */
const FAR = 8192;

test('of a stretch that repeats itself both ends are kept, and whatever stands around it', () => {
  const around = string({ maxLength: 40 });
  holds(
    property(
      around,
      string({ minLength: 1, maxLength: 200 }),
      integer({ min: 0, max: 400_000 }),
      around,
      (a, unit, chars, b) => {
        const middle = unit.repeat(Math.ceil(chars / unit.length));
        const closed = closeRepeats(a + middle + b);
        const left = closed.length - a.length - b.length;
        equal(closed, a + middle.slice(0, left) + b);
        ok(left === middle.length || left >= 2 * FAR, `${left} characters are left of ${middle.length}`);
        ok(left <= 4 * FAR + 256 * 840, `${left} characters are left of ${middle.length}`);
      },
    ),
    { numRuns: 150 },
  );
});

test('what stands between two stretches is kept', () => {
  holds(
    property(
      array(constantFrom('-', 'a ', '[', '\u0301', '😀', 'ignore '), { minLength: 2, maxLength: 4 }),
      (units) => {
        const text = units.map((unit) => `${unit.repeat(60_000)}Here it says something.`).join('');
        equal(closeRepeats(text).split('Here it says something.').length, units.length + 1);
      },
    ),
    { numRuns: 20 },
  );
});

test('text that repeats nothing for long is left as it is', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `Line ${n} of ${n * n} has its own number.\n`).join('');
  equal(closeRepeats(lines), lines);
  const table = `${'-'.repeat(200)}\n`.repeat(100) + lines;
  equal(closeRepeats(table), table);
  const short = 'a'.repeat(30_000);
  equal(closeRepeats(short), short);
});

test('a code behind a long run of its own characters is read as before', () => {
  const secret = 'there is more behind the zeroes';
  for (const zeroes of [60_000, 60_001, 60_002]) {
    const bytes = Buffer.concat([Buffer.alloc(zeroes), Buffer.from(secret)]);
    for (const coding of ['base64', 'hex'] as const) {
      const closed = closeRepeats(bytes.toString(coding));
      ok(closed.length < 60_000);
      ok(Buffer.from(closed, coding).toString('latin1').endsWith(secret), `${zeroes} ${coding}`);
    }
  }
});

test('a sentence before, within or behind megabytes of anything is among the passages of a body', () => {
  const sentence = 'Here it says something.';
  for (const unit of ['-', '[', '{"', 'a ', '\u0301', '\ufdfa', 'ｉｇｎｏｒｅ', '\\', '\n', 'ab'.repeat(128)]) {
    const filler = unit.repeat(Math.floor(2_000_000 / unit.length));
    for (const content of [sentence + filler, filler + sentence, filler + sentence + filler]) {
      const { passages } = readableJson({ messages: [{ role: 'user', content }] });
      ok(
        passages.some(({ text }) => text.includes(sentence)),
        JSON.stringify(unit),
      );
    }
  }
});

test('looking for repetition costs no more than reading, whatever a text is made of', () => {
  const uneven = (run: number): string => Array.from({ length: 200 }, (_, n) => 'x'.repeat(run) + n).join('');
  const texts = [
    uneven(50_000),
    uneven(16_000),
    Array.from({ length: 40 }, (_, n) => 'ab'.repeat(20_000) + 'ba'.repeat(20_000) + n)
      .join('')
      .repeat(4),
    `${'a'.repeat(255)}b`.repeat(40_000),
    `${'a'.repeat(400)}b`.repeat(25_000),
  ];
  for (const text of texts) {
    const before = process.cpuUsage();
    closeRepeats(text);
    const { user, system } = process.cpuUsage(before);
    ok(user + system < 400_000, `${Math.round((user + system) / 1000)} ms for ${text.length} characters`);
  }
  deepEqual(closeRepeats(''), '');
});
