import type { Decoded } from './decoder.ts';

/**
 * Runs of invisible characters, each of which stands for a part of a letter. A table says for each code unit whether it
 * is such a character, or half of one.
 */
export type Hidden = Uint8Array;

const WHOLE = 1;
const HIGH = 2;
const LOW = 3;

export function hiddenOf(singles: readonly (readonly [first: number, last: number])[], pairs?: HiddenPairs): Hidden {
  const table = new Uint8Array(65_536);
  for (const [first, last] of singles) table.fill(WHOLE, first, last + 1);
  if (pairs !== undefined) {
    table[pairs.high] = HIGH;
    table.fill(LOW, pairs.low[0], pairs.low[1] + 1);
  }
  return table;
}

/** Characters outside the BMP: their common high surrogate, and the range of their low surrogates. */
export interface HiddenPairs {
  readonly high: number;
  readonly low: readonly [first: number, last: number];
}

/** Decodes a run of invisible characters; null if nothing comes out. */
export type Undo = (units: Uint16Array, start: number, end: number) => string | null;

/** Decodes every run of at least `least` characters, and all runs joined. */
export function readHidden(units: Uint16Array, length: number, hidden: Hidden, least: number, undo: Undo): Decoded[] {
  const pieces: Decoded[] = [];
  for (let at = 0; at < length;) {
    const end = endOfRun(units, at, length, hidden, least);
    if (end > 0) {
      const text = undo(units, at, end);
      if (text !== null) pieces.push({ text, start: at, end });
    }
    at = Math.max(Math.abs(end), at + 1);
  }
  const scattered = scatteredIn(units, length, hidden, least, undo);
  if (scattered !== null) pieces.push(scattered);
  return pieces;
}

/** Decodes all runs as one if there are several: a hidden text may be spread over the letters of another. */
function scatteredIn(units: Uint16Array, length: number, hidden: Hidden, least: number, undo: Undo): Decoded | null {
  const all = new Uint16Array(length);
  let size = 0;
  let runs = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < length;) {
    const to = endOfRun(units, at, length, hidden, 1);
    if (to > 0) {
      if (runs++ === 0) [start, end] = [at, to];
      all.set(units.subarray(at, to), size);
      size += to - at;
    }
    at = Math.max(to, at + 1);
  }
  const text = runs < 2 || size < least ? null : undo(all, 0, size);
  return text === null ? null : { text, start, end };
}

export function holdsHidden(units: Uint16Array, length: number, hidden: Hidden, least: number): boolean {
  let count = 0;
  for (let at = 0; at < length && count < least; at++) {
    const kind = hidden[units[at] as number];
    if (kind === WHOLE || (kind === HIGH && at + 1 < length && hidden[units[at + 1] as number] === LOW)) count++;
  }
  return count >= least;
}

/** The end of the run at `start`; negated if the run is shorter than `least`. */
function endOfRun(units: Uint16Array, start: number, length: number, hidden: Hidden, least: number): number {
  let at = start;
  let count = 0;
  for (; at < length; at++, count++) {
    const kind = hidden[units[at] as number];
    if (kind === WHOLE) continue;
    if (kind !== HIGH || at + 1 >= length || hidden[units[at + 1] as number] !== LOW) break;
    at++;
  }
  return count >= least ? at : -at;
}
