import type { Run } from './decoders/runs.ts';
import { isSeparator } from './separators.ts';

/** Character sets, one bit each, in a single table: one load per character answers for all sets. */
export const SIGN = 1;
export const CODE = 2;
export const SOLID = 4;
export const NO_LOWER = 8;
export const NUMERIC = 16;
/** What padding consists of: all of ASCII except letters and digits, and what else stands between words. */
export const PAD = 32;
/** Letters, digits, and the symbols that stand for letters in spelled-out words. */
export const WORDY = 64;
const DASH_OR_DOT = 128;
/** Letters, digits, and the symbols that stand for letters in leet. */
export const LEETED = 256;
export const HEX = 512;
export const BASE32 = 1024;
export const BASE32_LOWER = 2048;
export const BASE58 = 4096;
/** ASCII whitespace, as between words and lines. */
export const GAP = 8192;

/** Local aliases for the loops of this file: an exported binding is fetched anew at each turn. */
const KINDS = kinds();
export const KIND = KINDS;
const OF_WORDS = WORDY;
const OF_SIGNALS = DASH_OR_DOT;

/**
 * The runs of at least `least` characters of a set. Looks ahead by the shortest run: in prose, most characters are
 * never looked at.
 */
export function runsIn(
  units: Uint16Array,
  from: number,
  to: number,
  kind: number,
  least: number,
  found: Run[] = [],
): Run[] {
  let start = from;
  while (start + least <= to) {
    let back = start + least - 1;
    while (back >= start && ((KINDS[units[back] as number] as number) & kind) !== 0) back--;
    if (back >= start) {
      start = back + 1;
      continue;
    }
    let end = start + least;
    while (end < to && ((KINDS[units[end] as number] as number) & kind) !== 0) end++;
    found.push({ start, end });
    start = end + 1;
  }
  return found;
}

/** The run of a set around a position inside it. */
export function runAround(units: Uint16Array, at: number, length: number, kind: number): Run {
  let start = at;
  while (start > 0 && ((KINDS[units[start - 1] as number] as number) & kind) !== 0) start--;
  let end = at + 1;
  while (end < length && ((KINDS[units[end] as number] as number) & kind) !== 0) end++;
  return { start, end };
}

/**
 * Characters are checked four at a time without a branch between: in prose, nearly all fours have two letters side by
 * side.
 */
const FOUR = 4;
const LEAST_SINGLES = 5;
const LEAST_SIGNALS = 4;
const LEAST_SPARSE = 8;

/**
 * Stretches without two adjacent letters or digits that hold enough single letters or dashes to be spelled-out text or
 * Morse code. The indentation of a program has neither.
 */
export function sparseIn(units: Uint16Array, length: number): Run[] {
  const found: Run[] = [];
  for (let at = 0; at + FOUR <= length; at += FOUR) {
    const second = KINDS[units[at + 1] as number] as number;
    const third = KINDS[units[at + 2] as number] as number;
    const first = KINDS[units[at] as number] as number;
    const fourth = KINDS[units[at + 3] as number] as number;
    if (((first & second) | (second & third) | (third & fourth)) & OF_WORDS) continue;
    // Such text has a letter or a dash in every six characters, so one of its fours has one as well.
    if (((first | second | third | fourth) & (OF_WORDS | OF_SIGNALS)) === 0) continue;
    const run = sparseAt(units, at, length);
    if (isSparse(units, run)) found.push(run);
    at = Math.max(at, run.end - FOUR);
  }
  return found;
}

/** The stretch around four characters that contains no two adjacent letters or digits. */
export function sparseAt(units: Uint16Array, at: number, length: number): Run {
  const isPair = (left: number): boolean =>
    ((KINDS[units[left] as number] as number) & (KINDS[units[left + 1] as number] as number) & OF_WORDS) !== 0;
  let start = at;
  while (start > 0 && !isPair(start - 1)) start--;
  let end = at + FOUR;
  while (end < length && !isPair(end - 1)) end++;
  return { start, end };
}

export function isSparse(units: Uint16Array, { start, end }: Run): boolean {
  if (end - start < LEAST_SPARSE) return false;
  let singles = 0;
  let signals = 0;
  for (let i = start; i < end; i++) {
    const kind = KINDS[units[i] as number] as number;
    singles += kind & OF_WORDS;
    signals += kind & OF_SIGNALS;
  }
  return singles >= LEAST_SINGLES * OF_WORDS || signals >= LEAST_SIGNALS * OF_SIGNALS;
}

function kinds(): Uint16Array {
  const table = new Uint16Array(65_536);
  const add = (chars: string, kind: number): void => {
    for (const char of chars) table[char.charCodeAt(0)] = (table[char.charCodeAt(0)] as number) | kind;
  };
  const range = (first: number, last: number, kind: number): void => {
    for (let unit = first; unit <= last; unit++) table[unit] = (table[unit] as number) | kind;
  };
  for (const [first, last] of [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ] as const)
    range(first, last, CODE | WORDY | LEETED);
  range(0x80, 0xffff, SIGN);
  range(0x00, 0x2f, PAD);
  range(0x3a, 0x40, PAD);
  range(0x5b, 0x60, PAD);
  range(0x7b, 0x7f, PAD);
  for (let unit = 0x80; unit <= 0xffff; unit++) if (isSeparator(unit)) table[unit] = (table[unit] as number) | PAD;
  add(' \t\n\r', GAP);
  range(0x00, 0x09, SIGN);
  range(0x0b, 0x1f, SIGN);
  range(0x21, 0x7e, SOLID);
  range(0x21, 0x60, NO_LOWER);
  add('\u007f%&\\<=+"\'`*~|.,-{]@$!0123456789', SIGN);
  add('+/_-', CODE);
  add('0123456789abcdefABCDEF', HEX);
  range(0x41, 0x5a, BASE32);
  range(0x61, 0x7a, BASE32_LOWER);
  range(0x30, 0x39, BASE32 | BASE32_LOWER);
  add('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', BASE58);
  add('@$', WORDY);
  add('@$!|+(', LEETED);
  add('0123456789abcdefABCDEFxo \t\n\r\u00a0,.:;|\\/_-()', NUMERIC);
  add('.-_·•●‐‑‒–—―−▬', DASH_OR_DOT);
  return table;
}
