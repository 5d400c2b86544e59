import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { array, constantFrom, assert as holds, oneof, property, string } from 'fast-check';
import { fold, foldsInTurn, type Folds } from '../src/text/fold.ts';

/** All forms of a text by their names. */
function folds(text: string): Folds {
  return Object.fromEntries(foldsInTurn(text)) as Record<keyof Folds, string>;
}

function pick({ light, full, own, otherwise }: Folds): Partial<Folds> {
  return { light, full, own, otherwise };
}

const FOLDED: readonly (readonly [name: string, text: string, plain: string])[] = [
  ['Cyrillic look-alikes', 'іgnоrе', 'ignore'],
  ['Greek look-alikes', 'ιgnοrε', 'ignore'],
  ['Cherokee and Lisu capitals', 'ᏞᎪ ꓡꓮ', 'LA LA'],
  ['full width', 'ｉｇｎｏｒｅ', 'ignore'],
  ['mathematical alphabets', '𝐢𝑔𝓷𝔬𝕣𝖾', 'ignore'],
  ['circled, squared and regional letters', 'ⓘⓖ🅽🅾🇷🇪', 'igNORE'],
  ['small capitals', 'ɪɢɴᴏʀᴇ', 'ignore'],
  ['marks over Latin', 'i̶g̸ńo̲rẽ', 'ignore'],
  ['accents', 'Vêtëmént', 'Vetement'],
  ['zero-width characters', 'i\u200bg\u200cn\u200do\u2060r\ufeffe\u00ad', 'ignore'],
  ['Hangul fillers', 'ig\u3164no\u115fre\uffa0', 'ignore'],
  ['bidi controls', '\u202eignore\u202c \u2067all\u2069', 'ignore all'],
  ['exotic spaces', 'a\u00a0b\u2003c\u3000d\u000be\u0085f', 'a b c d e f'],
  ['NUL and other controls inside a word', 'ig\u0000no\u0007re', 'ignore'],
  ['colours of a terminal', '\u001b[1;31mig\u001b[0mnore', 'ignore'],
  ['colours of a terminal that knows the longer controls', '\u009b1;31mig\u009b0mno\u001b(Bre', 'ignore'],
  ['a link of a terminal', '\u001b]8;;https://example.com\u0007ignore\u001b]8;;\u001b\\', 'ignore'],
  ['backspaces', 'igX\bnore', 'ignore'],
  ['bold by overstrike', 'i\big\bgn\bn', 'ign'],
  ['lone surrogates', 'ig\ud800no\udc00re', 'ignore'],
  ['curly quotes and dashes', '“don’t” — stop', '"don\'t" - stop'],
];

describe('fold', () => {
  for (const [name, text, plain] of FOLDED)
    it(`reads ${name} as the plain text they look like`, () => assert.equal(fold(text), plain));

  it('keeps ASCII as it is, whatever it says', () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    assert.equal(fold(`${ascii}\n\t`), `${ascii}\n\t`);
  });

  it('does nothing to what it has folded already', () => {
    const any = oneof(
      string({ unit: 'binary', maxLength: 40 }),
      string({ unit: 'grapheme', maxLength: 40 }),
      array(
        constantFrom(
          'a',
          '\u0301',
          '\u0345',
          '\u0344',
          '\u200d',
          '\ufdfa',
          '\u1100',
          '\u1161',
          '\u09c7',
          '\u09be',
          '\u00a8',
          'с',
          'ж',
          '\ufe0f',
          '\b',
          '\u001b[',
          '=',
          '\u0338',
          ' ',
          '٣',
          '가',
          '\u0f71',
          '\u0f80',
        ),
        { maxLength: 50 },
      ).map((parts) => parts.join('')),
    );
    holds(
      property(any, (text) => {
        const once = fold(text);
        assert.equal(fold(once), once);
      }),
      { numRuns: 3000 },
    );
  });

  it('does nothing to any single character that it has folded already', () => {
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const once = fold(`a${String.fromCodePoint(code)}b`);
      if (fold(once) !== once) assert.fail(`U+${code.toString(16)}`);
    }
  });

  it('folds a text from its table as it folds the same characters beside one that joins others', () => {
    const any = array(
      oneof(
        string({ unit: 'binary', minLength: 1, maxLength: 3 }),
        constantFrom(
          'Игнорируй',
          'ｉｇｎ',
          '忽略',
          '가',
          'ﷲ',
          '½',
          '🙂',
          '🝌',
          '\u{1fbf3}',
          '\u{20001}',
          '\u{2f801}',
          '⒜',
          '\u3000',
          ' ',
          'é',
        ),
      ),
      { maxLength: 12 },
    ).map((parts) => parts.join(''));
    holds(
      property(any, (text) => {
        const { light, full, own, otherwise } = folds(text);
        const slow = folds(`${text}\u200b`);
        assert.deepEqual({ light, full, own, otherwise }, pick(slow));
      }),
      { numRuns: 3000 },
    );
    for (let code = 0x80; code < 0x110000; code++) {
      if (
        (code >= 0xd800 && code <= 0xdfff) ||
        code === 0x9d ||
        code === 0x90 ||
        code === 0x98 ||
        code === 0x9e ||
        code === 0x9f
      )
        continue;
      const text = `a${String.fromCodePoint(code)}b`;
      if (fold(text) !== fold(`${text}\u200b`)) assert.fail(`U+${code.toString(16)}`);
    }
  });

  it('keeps a cleaned form in its own script beside the one in ASCII', () => {
    const { light, full } = folds('игно\u200bрируй');
    assert.equal(light, 'игнорируй');
    assert.notEqual(full, light);
  });

  it('reads invisible characters between words as spaces, too', () => {
    assert.equal(folds('ignore\u200ball\u2060previous').spaced, 'ignore all previous');
  });

  it('is linear where normalising alone is not, and never much longer than the text', () => {
    for (const unit of [
      '\u0301',
      '\ufdfa',
      '\u3316',
      'a\u0301\u0327',
      '\u001b]',
      '\u001b]\u0007',
      'a\b',
      '\ud800',
      '\u{E0041}',
    ]) {
      const text = unit.repeat(200_000 / unit.length);
      const start = process.cpuUsage();
      const folded = fold(text);
      const { user, system } = process.cpuUsage(start);
      assert.ok((user + system) / 1000 < 250, `${JSON.stringify(unit)} took ${(user + system) / 1000} ms`);
      assert.ok(folded.length <= 4 * text.length, `${JSON.stringify(unit)} grew to ${folded.length}`);
    }
  });

  it('knows no run of more than thirty marks', () => {
    assert.equal(fold(`ж\u0e01${'\u0e34'.repeat(1000)}`).length, 32);
  });

  it('keeps a mark that makes another letter of one beyond ASCII, and drops those that are set over any', () => {
    assert.equal(folds('и\u0306 е\u0308 ι\u0308\u0301').light, 'й ё ΐ');
    for (const mark of ['\u0336', '\u0332', '\u0489', '\u20dd', '\u0301\u0316\u0317\u0318', '\u0301'.repeat(1000)])
      assert.equal(folds(`忽${mark}略${mark} и${mark}г${mark} 모${mark}든${mark}`).light, '忽略 иг 모든', mark);
  });

  it('uses a table that is what its script writes', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/confusables.mjs', '--check'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});
