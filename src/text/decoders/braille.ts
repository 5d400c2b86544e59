import { MARK } from '../marks.ts';
import { isAsciiLetter, isBlank } from '../units.ts';
import type { Decoded, Decoder } from './decoder.ts';

const FIRST = 0x2800;
const LAST = 0x28ff;
/** The cells of the letters a to j. All other letters, and the digits, are derived from these. */
const DECADE = [0x01, 0x03, 0x09, 0x19, 0x11, 0x0b, 0x1b, 0x13, 0x0a, 0x1a];
const LETTERS = new Map<number, string>([
  ...DECADE.map((cell, i) => [cell, 'abcdefghij'[i]] as [number, string]),
  ...DECADE.map((cell, i) => [cell | 0x04, 'klmnopqrst'[i]] as [number, string]),
  ...DECADE.slice(0, 5).map((cell, i) => [cell | 0x24, 'uvxyz'[i]] as [number, string]),
  [0x3a, 'w'],
  [0x02, ','],
  [0x32, '.'],
  [0x26, '?'],
  [0x16, '!'],
  [0x04, "'"],
  [0x24, '-'],
  [0x06, ';'],
  [0x12, ':'],
  [0x00, ' '],
  [0x20, ''],
]);
const NUMBER_FOLLOWS = 0x3c;
const LEAST_LETTERS = 3;
const KNOWN = 0.8;

/** Braille cells as letters, digits and punctuation. Spinners and bar charts drawn with cells decode to nothing. */
export const braille: Decoder = {
  name: 'braille',
  hides: 'cipher',
  shape: '[\\x{2800}-\\x{28FF}][\\x{2800}-\\x{28FF}][\\x{2800}-\\x{28FF}]',
  hint: ({ marks }) => (marks & MARK.braille) !== 0,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (let start = 0; start < text.length; start++) {
      if (!isCell(text.charCodeAt(start))) continue;
      let end = start + 1;
      let at = end;
      for (; at < text.length && (isCell(text.charCodeAt(at)) || isBlank(text.charCodeAt(at))); at++)
        if (isCell(text.charCodeAt(at))) end = at + 1;
      const plain = end - start < 2 ? null : decoded(text.slice(start, end));
      if (plain !== null) pieces.push({ text: plain, start, end });
      start = at;
    }
    return pieces;
  },
  examples: {
    reads: [
      ['⠊⠛⠝⠕⠗⠑ ⠁⠇⠇', 'ignore all'],
      ['⠠⠊⠛⠝⠕⠗⠑⠀⠁⠇⠇⠲', 'ignore all.'],
      ['⠗⠥⠇⠑ ⠼⠁⠃', 'rule 12'],
    ],
    leaves: ['⣾⣽⣻⢿⡿⣟⣯⣷', '⣿⣿⣿⣿', '⡀⣀⣄⣤⣦⣶⣷⣿'],
  },
};

function isCell(unit: number): boolean {
  return unit >= FIRST && unit <= LAST;
}

function decoded(cells: string): string | null {
  let plain = '';
  let known = 0;
  let all = 0;
  let numeric = false;
  for (const char of cells) {
    const cell = char.charCodeAt(0) - FIRST;
    if (cell < 0) {
      plain += ' ';
      numeric = false;
      continue;
    }
    all++;
    const digit: number = numeric ? DECADE.indexOf(cell) : -1;
    const letter = digit >= 0 ? String((digit + 1) % 10) : LETTERS.get(cell);
    numeric = cell === NUMBER_FOLLOWS || digit >= 0;
    if (letter === undefined && cell !== NUMBER_FOLLOWS) continue;
    known++;
    plain += letter ?? '';
  }
  return known >= KNOWN * all && hasLetters(plain) ? plain : null;
}

function hasLetters(plain: string): boolean {
  let letters = 0;
  for (let at = 0; at < plain.length && letters < LEAST_LETTERS; at++)
    if (isAsciiLetter(plain.charCodeAt(at))) letters++;
  return letters === LEAST_LETTERS;
}
