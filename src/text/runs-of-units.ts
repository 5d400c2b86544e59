import type { Run } from './decoders/runs.ts';

/** Which sets a character is in, a bit each; one table, so that a look at a character is one load whatever is asked. */
export const SIGN = 1;
export const CODE = 2;
export const SOLID = 4;
export const NO_LOWER = 8;
export const NUMERIC = 16;
export const WORDY = 64;
const DASH_OR_DOT = 128;
export const LEETED = 256;
export const HEX = 512;
export const BASE32 = 1024;
export const BASE32_LOWER = 2048;
export const BASE58 = 4096;

export const KIND = kinds();

/** Looks ahead by the shortest run there may be: in prose, most characters are never looked at. */
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
    while (back >= start && ((KIND[units[back] as number] as number) & kind) !== 0) back--;
    if (back >= start) {
      start = back + 1;
      continue;
    }
    let end = start + least;
    while (end < to && ((KIND[units[end] as number] as number) & kind) !== 0) end++;
    found.push({ start, end });
    start = end + 1;
  }
  return found;
}

/** Characters are looked at in fours, without a branch between: in prose, nearly all fours have two letters side by side. */
const FOUR = 4;
const LEAST_SINGLES = 5;
const LEAST_SIGNALS = 4;

/**
 * Stretches in which no two letters or digits stand side by side, and that hold letters or dashes enough to be spelled out
 * or morse; the indentation of a programme holds neither.
 */
export function sparseIn(units: Uint16Array, length: number, least: number): Run[] {
  const found: Run[] = [];
  for (let at = 0; at + FOUR <= length; at += FOUR) {
    const second = KIND[units[at + 1] as number] as number;
    const third = KIND[units[at + 2] as number] as number;
    const first = KIND[units[at] as number] as number;
    const fourth = KIND[units[at + 3] as number] as number;
    if (((first & second) | (second & third) | (third & fourth)) & WORDY) continue;
    // What is wanted has a letter or a dash in every six characters, so one of its fours has as well.
    if (((first | second | third | fourth) & (WORDY | DASH_OR_DOT)) === 0) continue;
    const run = sparseAt(units, at, length);
    if (run.end - run.start >= least && holdsEnough(units, run)) found.push(run);
    at = Math.max(at, run.end - FOUR);
  }
  return found;
}

function sparseAt(units: Uint16Array, at: number, length: number): Run {
  const isPair = (left: number): boolean =>
    ((KIND[units[left] as number] as number) & (KIND[units[left + 1] as number] as number) & WORDY) !== 0;
  let start = at;
  while (start > 0 && !isPair(start - 1)) start--;
  let end = at + FOUR;
  while (end < length && !isPair(end - 1)) end++;
  return { start, end };
}

function holdsEnough(units: Uint16Array, { start, end }: Run): boolean {
  let singles = 0;
  let signals = 0;
  for (let i = start; i < end; i++) {
    const kind = KIND[units[i] as number] as number;
    singles += kind & WORDY;
    signals += kind & DASH_OR_DOT;
  }
  return singles >= LEAST_SINGLES * WORDY || signals >= LEAST_SIGNALS * DASH_OR_DOT;
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
  range(0x00, 0x08, SIGN);
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
  add('.-_·•‐‑‒–—―−', DASH_OR_DOT);
  return table;
}
