import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { everyString } from './helpers/every-string.ts';

/** The yardstick: JSON.parse and a walk, keys before values. */
function parsedStrings(document: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        found.push(key);
        visit(member);
      }
    }
  };
  visit(JSON.parse(document));
  return found.map(withoutLone);
}

const withoutLone = (text: string): string => text.replace(/\p{Surrogate}/gu, '');

const seed = 20_260_101;
const numRuns = 500;

test('every string of any JSON value is found, in order, with its escapes undone', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }),
      fc.constantFrom(undefined, 2, '\t'),
      (value, space) => {
        const document = JSON.stringify(value, null, space);
        const { strings, sound, whole } = everyString(document);
        ok(sound);
        equal(whole, null);
        // Integer-like keys are moved to the front by JavaScript, so order is compared only where there are none.
        deepEqual([...strings].sort(), parsedStrings(document).sort());
      },
    ),
    { seed, numRuns },
  );
});

/** The same document with every character written as an escape of its own. */
function escapedAll(document: string): string {
  return document.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    const text = JSON.parse(`"${inner}"`) as string;
    return `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
  });
}

test('it makes no difference whether characters are escaped', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), (value) => {
      const document = JSON.stringify(value);
      deepEqual(everyString(escapedAll(document)).strings, everyString(document).strings.map(withoutLone));
    }),
    { seed, numRuns },
  );
});

test('any two documents behind each other give the strings of both', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
      const [one, two] = [JSON.stringify(first), JSON.stringify(second)];
      const both = everyString(`${one}\n${two}`, 'many');
      ok(both.sound);
      deepEqual(both.strings, [...everyString(one).strings, ...everyString(two).strings]);
      ok(!everyString(`${one} ${two}`).sound);
    }),
    { seed, numRuns },
  );
});

test('what JSON.parse refuses is never called sound, but for the inside of strings and numbers', () => {
  const structure = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', 'true', 'nul', "'", '/**/', 'x'),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(structure, fc.constantFrom(' ', ''), (tokens, blank) => {
      const document = tokens.join(blank);
      let valid = true;
      try {
        JSON.parse(document);
      } catch {
        valid = false;
      }
      equal(everyString(document).sound, valid, document);
    }),
    { seed, numRuns: 5000 },
  );
});

test('no text at all makes the reader throw, or lose a character of an unsound document', () => {
  const soup = fc.string({ unit: fc.constantFrom(...'{}[],:"\'\\/*u0041x n\n\0é😀'.split('')), maxLength: 60 });
  fc.assert(
    fc.property(soup, (text) => {
      const { sound, whole } = everyString(text);
      equal(whole === null, sound);
      if (whole !== null && !text.includes('\\')) equal(whole, withoutLone(text));
    }),
    { seed, numRuns: 2000 },
  );
});
