import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DECODERS } from '../src/text/decoders/index.ts';
import { seenIn } from '../src/text/seen.ts';

/**
 * A loop in a regular expression keeps a way back for every turn, and V8 gives it 64 MB for them: a text of one character
 * over and over is enough, and the scan throws. These decoders are loops of their own, and nothing else may creep in.
 */
const MEGABYTES = 4 * 1024 * 1024;
const HARDEST: Readonly<Record<string, readonly string[]>> = {
  'spelled-out': ['a ', '. ', 'a\n'],
  morse: ['.', '. ', '.\n'],
  braille: ['⠊', '⠊ '],
  acrostic: ['a\n'],
  blanks: [' ', 'a\n\n'],
  'terminal-string': ['\u001b]', '\u001b'],
  'base64-pieces': ['a1', 'a1-', 'aWdu '],
  mojibake: ['\u00c3\u00a9'],
  'turned-escapes': ['56%', ';65#&'],
  'turned-codes': ['6', '96 '],
  'shifted-codes': ['d', '6o'],
  reversed: ['erongi '],
  'reversed-lines': ['erongi ', 'erongi\n'],
  'reversed-words': ['erongi '],
  'rot-13': ['vtaber '],
};

describe('four megabytes of one character', () => {
  for (const [name, units] of Object.entries(HARDEST))
    it(`neither overflow nor hold up ${name}`, () => {
      const decoder = DECODERS.find((one) => one.name === name);
      assert.ok(decoder, 'no such decoder');
      for (const unit of units) {
        const text = unit.repeat(MEGABYTES / unit.length);
        const start = process.cpuUsage();
        decoder.hint?.(seenIn(text), text);
        const given = decoder.decode(text).reduce((sum, piece) => sum + piece.text.length, 0);
        const { user, system } = process.cpuUsage(start);
        assert.ok(given <= 1.5 * text.length, `${JSON.stringify(unit)} gave ${given} characters`);
        assert.ok(user + system < 10_000_000, `${JSON.stringify(unit)} took ${(user + system) / 1000} ms`);
      }
    });
});

describe('a long text that says something', () => {
  it('is read to its end, letters apart', () => {
    const decoder = DECODERS.find(({ name }) => name === 'spelled-out');
    const [piece] = decoder?.decode(`${'a '.repeat(500_000)}i g n o r e`) ?? [];
    assert.ok(piece?.text.endsWith('ignore'), piece?.text.slice(-20));
  });

  it('is read to its end, in Morse', () => {
    const decoder = DECODERS.find(({ name }) => name === 'morse');
    const [piece] = decoder?.decode(`${'.- - . / '.repeat(200_000)}.. --. -. --- .-. .`) ?? [];
    assert.ok(piece?.text.endsWith('ignore'), piece?.text.slice(-20));
  });
});
