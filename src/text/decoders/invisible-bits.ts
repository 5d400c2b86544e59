import { MARK } from '../marks.ts';
import { textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';

/** Zero-width characters as bits. Joiners in Persian, Hindi and emoji stand between letters, never eight in a row. */
const RUN = /[\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{8,}/g;
const INVISIBLE = /[\u180E\u200B-\u200F\u2060-\u2064\uFEFF]{8}/;
const ONE = '[\\x{180E}\\x{200B}-\\x{200F}\\x{2060}-\\x{2064}\\x{FEFF}]';

export const invisibleBits: Decoder = {
  name: 'invisible-bits',
  shape: ONE.repeat(8),
  hint: ({ marks }, text) => (marks & MARK.invisible) !== 0 && INVISIBLE.test(text),
  suspicion: 0.9,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const match of text.matchAll(RUN)) {
      const plain = decoded(match[0]);
      if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
    }
    return pieces;
  },
  examples: {
    reads: [
      [bits('ignore', '\u2062', '\u2064', '\u200b', 0), 'ignore'],
      [`hello${bits('ignore', '\u200b', '\u200c', '', 8)}`, 'ignore'],
      [bits('ignore', '\u200d', '\u200c', '\ufeff', 8), 'ignore'],
      [`${bits('ignore', '\u2062', '\u2064', '', 0)}\u200b${bits('all', '\u2062', '\u2064', '', 0)}`, 'ignore all'],
    ],
    leaves: ['می\u200cخواهم کتاب\u200cها', '👨\u200d👩\u200d👧\u200d👦', '\u200b'.repeat(20), 'क्\u200dष'],
  },
};

function decoded(run: string): string | null {
  const counts = new Map<string, number>();
  for (const char of run) counts.set(char, (counts.get(char) ?? 0) + 1);
  const [a, b] = [...counts].sort(([, m], [, n]) => n - m).map(([char]) => char);
  if (a === undefined || b === undefined) return null;
  for (const [zero, one] of [
    [a, b],
    [b, a],
  ] as const) {
    const digits = [...run].map((char) => (char === zero ? '0' : char === one ? '1' : ' ')).join('');
    const groups = digits.split(/ +/).filter((group) => group.length > 0);
    const apart = groups.length > 1 && groups.every((group) => group.length <= 8);
    const padded = [unitsOf(groups, 8), unitsOf(groups, 7)];
    for (const units of apart ? [groups] : groups.length > 1 ? [unpadded(groups), ...padded] : padded) {
      const plain = textOf(Uint8Array.from(units, (unit) => Number.parseInt(unit, 2)));
      if (plain !== null) return plain;
    }
  }
  return null;
}

function unitsOf(groups: readonly string[], width: number): string[] {
  const digits = groups.join('');
  return digits.length % width === 0 ? (digits.match(new RegExp(`.{${width}}`, 'g')) ?? []) : [];
}

/** Written without leading zeroes, and a third character for a space: seven digits are a letter, six something else. */
function unpadded(groups: readonly string[]): string[] {
  const units: string[] = [];
  for (const group of groups) {
    if (units.length > 0) units.push('100000');
    for (let at = 0; at < group.length;) {
      const letter = String.fromCharCode(Number.parseInt(group.slice(at, at + 7), 2));
      const width = /[A-Za-z]/.test(letter) || group.length - at === 7 ? 7 : 6;
      units.push(group.slice(at, at + width));
      at += width;
    }
  }
  return units;
}

function bits(text: string, zero: string, one: string, between: string, width: number): string {
  const units = [...text].map((char) => char.charCodeAt(0).toString(2).padStart(width, '0'));
  return units.map((unit) => unit.replaceAll('0', zero).replaceAll('1', one)).join(between);
}
