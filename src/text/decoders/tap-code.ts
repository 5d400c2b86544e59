import { MARK } from '../marks.ts';
import { isWord } from '../words.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { worded } from './spelling.ts';

/** Tap code: row and column in a 5 by 5 square, as knocks or digits. C stands for K as well. */
const SQUARE = 'abcdefghijlmnopqrstuvwxyz';
const PAIRS = /(?<![0-9.])[1-5][,.: -]?[1-5](?:[\s/|;:,)(-]{1,5}[1-5][,.: -]?[1-5]){5,}(?![0-9])/g;
const PAIRED = /[1-5][,.: -]?[1-5](?:[\s/|;:,)(-]{1,5}[1-5][,.: -]?[1-5]){5}/;
const KNOCKED = /\.{1,5} \.{1,5}\s{1,6}(?:\/ )?\.{1,5} \.{1,5}\s/;
const KNOCKS = /(?<!\.)\.{1,5} \.{1,5}(?:\s{1,6}(?:\/ )?\.{1,5} \.{1,5}){5,}(?!\.)/g;
const PAIR = /([1-5])[,.: -]?([1-5])/g;
const KNOCK = /(\.{1,5}) (\.{1,5})/g;

export const tapCode: Decoder = {
  name: 'tap-code',
  hides: 'disguise',
  shape: '[1-5][,.: -]?[1-5](?:[ /|;:,)(-]+[1-5][,.: -]?[1-5]){5}|\\.+ \\.+ +\\.+ \\.+ +\\.+ \\.+ ',
  hint: ({ numeric, marks }, text) =>
    numeric.some(({ start, end }) => PAIRED.test(text.slice(start, end))) ||
    ((marks & MARK.knock) !== 0 && KNOCKED.test(text)),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const [pattern, pair, value] of [
      [PAIRS, PAIR, Number],
      [KNOCKS, KNOCK, (knocks: string) => knocks.length],
    ] as const) {
      for (const match of text.matchAll(pattern)) {
        const plain = decoded(match[0], pair, value);
        if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
      }
    }
    return pieces;
  },
  examples: {
    reads: [
      ['24 22 33 34 42 15 11 31 31', 'ignore all'],
      ['2,4 2,2 3,3 3,4 4,2 1,5', 'ignore'],
      ['24, 22, 33, 34, 42, 15 - 11, 31, 31', 'ignore all'],
      ['(2,4) (2,2) (3,3) (3,4) (4,2) (1,5)  (1,1) (3,1) (3,1)', 'ignore all'],
      ['2:4; 2:2; 3:3; 3:4; 4:2; 1:5', 'ignore'],
      ['.. ....  .. ..  ... ...  ... ....  .... ..  . .....    . .  ... .  ... .', 'ignore all'],
      ['.. .... .. .. ... ... ... .... .... .. . .....', 'ignore'],
    ],
    leaves: ['11 12 13 14 15 21 22 23 24 25', '1.5 2.5 3.5 4.5 5.5 1.2 1.3', '12:45 13:15 14:45'],
  },
};

/** Small numbers are everywhere, so the result must contain a known word of at least four letters. */
function decoded(taps: string, pair: RegExp, value: (taps: string) => number): string | null {
  let letters = '';
  let end = 0;
  const gaps: string[] = [];
  for (const match of taps.matchAll(pair)) {
    const [, row = '', column = ''] = match;
    if (letters !== '') gaps.push(taps.slice(end, match.index));
    letters += SQUARE.charAt((value(row) - 1) * 5 + value(column) - 1);
    end = match.index + match[0].length;
  }
  const plain = worded({ letters, gaps });
  return plain.split(' ').some((word) => word.length >= 4 && isWord(word)) ? plain : null;
}
