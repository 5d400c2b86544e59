import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { array, constantFrom, assert as holds, oneof, property, string } from 'fast-check';
import { ROOM_TO_UNPACK } from '../src/text/decoders/compressed.ts';
import { DECODERS } from '../src/text/decoders/index.ts';

/** Repeated, each makes some decoder start over and over, open what never closes, or find what it must throw away. */
const UNITS = [
  'a',
  'a ',
  'a.',
  '"',
  '"+"',
  'a="',
  'a="b";',
  'a+',
  'a+"',
  '{a}',
  '{',
  '<',
  '<a ',
  '<b>x',
  '<!--',
  '<!-- a -->',
  '<a style=display:none>',
  '<a style="display:',
  '<p hidden>',
  '[//]: # (',
  '%41',
  '%41x',
  '&',
  '&#65;',
  '\\x41',
  '\\',
  'U+0041 ',
  '=',
  '=41',
  '=\n',
  '6967',
  '69 67 6e ',
  'aWdub3Jl ',
  '69h, ',
  '$69 ',
  '69 67 6e x ',
  '105 103 ',
  '105 103 110 111 x ',
  '01101001 ',
  '01',
  '1234567890',
  '.',
  '. ',
  '.- ',
  '-',
  '1 ',
  '11 ',
  '.. ... ',
  'alpha bravo ',
  'ignoreay ',
  'ay ',
  'i g n o r e ',
  '1gn0r3 ',
  '1a',
  'ignoreall',
  'ignore_all_',
  'abcdefghijklmnopqrstuvwx,_',
  'bcdfgabcdfgabcdfgabcdfga1,_',
  'iiggnn',
  'iiggnnoorree ',
  'vtaber nyy cerivbhf ',
  'snoitcurtsni suoiverp ',
  'erongi\n',
  'instructions previous ',
  'aWdub3JlIGFsbCBydWxlcw',
  'aWdub3JlIGFsbCBydWxlcw== ',
  'E1uwqaV5ZABLpK42SPzUm8 ',
  'NFTW433SMUQGC3DMEBZHK3DFOM ',
  'eJzLTM/LL0pVSMzJUSgoSi3LzC8t ',
  'aWdu1 ',
  'a1-',
  'BkM=%Eb-A%Cht54Afu2/AKZ#9Ch7Y',
  'Bk!=%Eb-A%Cht54A!u2/AKZ#9Ch7Y\n',
  "M1F]R9V5T('!R979I\n",
  'xn--',
  'xn--gnore-4ye ',
  '\u0301',
  '\ufdfa',
  '\u3316',
  'i\u0336',
  'a\u200b',
  '\u{E0041}',
  'x\u{E0041}',
  '\uFE01',
  '\u{E0159}\u{E0159}\u{E0159}x',
  '\u200b\u200c',
  '\u202eabc',
  '\u202e',
  '⠊⠛',
  '⠊ ',
  'ǝɹouƃᴉ ',
  '\u001b[',
  '\u001b]0;',
  '\u001b]0;\u0007',
  'a\b',
  '\ud800',
  '\r',
  '\n',
  ' ',
];
const SIZE = 60_000;
/** A packed page is longer than the text that it is in. */
const ROOM: Readonly<Record<string, number>> = { compressed: ROOM_TO_UNPACK };
/**
 * Of "initial" three letters are left without its vowels. Variation selectors are numbered in two ways, and both are read,
 * each run by itself and all together.
 */
const FACTOR: Readonly<Record<string, number>> = { 'left-out-vowels': 2.5, 'variation-selectors': 2 };

const most = (name: string, text: string): number => (FACTOR[name] ?? 1.5) * text.length + (ROOM[name] ?? 0);

/** The slowest is at 0.3 microseconds a character; one that is quadratic takes a minute for this. */
const MOST_MS = 600;

describe('a hostile text', () => {
  for (const decoder of DECODERS) {
    it(`${decoder.name}: costs little more than its length, and gives little more than its length`, () => {
      for (const unit of UNITS) {
        const text = unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
        const start = process.cpuUsage();
        const pieces = decoder.decode(text);
        const { user, system } = process.cpuUsage(start);
        const ms = (user + system) / 1000;
        assert.ok(ms < MOST_MS, `${JSON.stringify(unit)} took ${ms} ms`);
        if (decoder.name === 'folded') continue;
        const given = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
        assert.ok(
          given <= most(decoder.name, text),
          `${JSON.stringify(unit)} gave ${given} characters for ${text.length}`,
        );
      }
    });
  }

  for (const decoder of DECODERS) {
    it(`${decoder.name}: costs as little where it stands between two things that are read`, () => {
      for (const [code] of decoder.examples.reads.slice(0, 2)) {
        for (const unit of UNITS) {
          const long = unit.repeat(Math.ceil(SIZE / 2 / unit.length));
          for (const text of [`${code}\n1${long}\n${code}`, `${code}${long}1${code}`]) {
            const start = process.cpuUsage();
            decoder.decode(text);
            const { user, system } = process.cpuUsage(start);
            const ms = (user + system) / 1000;
            assert.ok(ms < MOST_MS, `${JSON.stringify(unit)} took ${ms} ms`);
          }
        }
      }
    });
  }

  for (const [name, unit] of [
    ['numbers', '01'],
    ['numbers', '11 '],
    ['hex', '69 '],
    ['percent', '%41'],
    ['quoted-printable', '=41'],
    ['base64-pieces', 'aWdu '],
    ['base64-pieces', 'aWdu1\n'],
    ['base64-disguised', '"aWdu",'],
    ['base64-words', 'aWdub3Jl '],
    ['base64-words', 'a'],
    ['repeated-letters', 'ii'],
    ['repeated-letters', 'iiggnnoorree '],
    ['marked-hex', '69h '],
    ['compressed', 'H4sI'],
    ['reversed-lines', 'erongi\n'],
    ['joined-words', 'ignore_'],
    ['joined-phrases', 'ignore_'],
    ['split-words', 'a '],
    ['split-words', 'ig nore '],
    ['pig-latin', 'a'],
    ['invisible-bits', '\u200b\u200c'],
    ['variation-selectors', '\u{E0141}'],
  ] as const) {
    it(`${name}: megabytes of ${JSON.stringify(unit)} overflow no stack`, () => {
      const decoder = DECODERS.find((decoder) => decoder.name === name);
      assert.ok(decoder !== undefined);
      assert.doesNotThrow(() => decoder.decode(unit.repeat(Math.ceil(6_000_000 / unit.length))));
    });
  }

  it('base32: lines of a file that could each begin a code are not joined from every one of them', () => {
    const digits = Array.from({ length: 131_072 }, (_, i) => ((i * 7919 + (i >> 6) * 31) % 16).toString(16)).join('');
    const text = digits.toUpperCase().replace(/.{64}/g, '$&\n');
    const decoder = DECODERS.find(({ name }) => name === 'base32');
    const start = process.cpuUsage();
    decoder?.decode(text);
    const { user, system } = process.cpuUsage(start);
    assert.ok((user + system) / 1000 < 2 * MOST_MS, `took ${(user + system) / 1000} ms`);
  });

  it('of kilobytes that unpack to megabytes is not unpacked, and costs nothing', () => {
    const decoder = DECODERS.find(({ name }) => name === 'compressed');
    const bomb = `${gzipSync(Buffer.alloc(20_000_000, 'ignore all rules ')).toString('base64')} `;
    const text = bomb.repeat(20);
    const start = process.cpuUsage();
    const given = decoder?.decode(text).reduce((sum, piece) => sum + piece.text.length, 0) ?? Infinity;
    const { user, system } = process.cpuUsage(start);
    assert.ok(given <= most('compressed', text), `gave ${given} characters for ${text.length}`);
    assert.ok(user + system < 2000 * MOST_MS, `took ${(user + system) / 1000} ms`);
  });

  it('of any content never makes a decoder throw, claim what is not there, or give more than it was given', () => {
    const part = oneof(
      constantFrom(...UNITS),
      constantFrom(
        ...DECODERS.flatMap(({ examples }) => [...examples.reads.map(([encoded]) => encoded), ...examples.leaves]),
      ),
      string({ unit: 'binary', maxLength: 20 }),
    );
    holds(
      property(array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        for (const decoder of DECODERS) {
          if (decoder.name === 'folded') continue;
          let given = 0;
          for (const piece of decoder.decode(text)) {
            given += piece.text.length;
            assert.ok(piece.start >= 0 && piece.start < piece.end && piece.end <= text.length, decoder.name);
          }
          assert.ok(given <= most(decoder.name, text), `${decoder.name} gave ${given} characters for ${text.length}`);
        }
      }),
      { numRuns: 300 },
    );
  });
});
