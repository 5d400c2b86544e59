import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';

const CELLS = /[\u2800-\u28FF](?:\s*[\u2800-\u28FF])+/g;
const FIRST = 0x2800;
/** The ten letters that all others, and the digits, are made of. */
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

export const braille: Decoder = {
  name: 'braille',
  shape: '[\\x{2800}-\\x{28FF}][\\x{2800}-\\x{28FF}][\\x{2800}-\\x{28FF}]',
  hint: ({ marks }) => (marks & MARK.braille) !== 0,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const match of text.matchAll(CELLS)) {
      const plain = decoded(match[0]);
      if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
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
  return known >= KNOWN * all && /[a-z].*[a-z].*[a-z]/s.test(plain) && plain.length >= LEAST_LETTERS ? plain : null;
}
