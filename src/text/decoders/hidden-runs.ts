import type { Decoded } from './decoder.ts';

/**
 * Runs of characters that nobody sees, of which each stands for a part of a letter. Found by one look at each code unit: a
 * table says which are of the kind, and which are half of one.
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

/** Of characters beyond the first 65,536: the one first half that they share, and their second halves. */
export interface HiddenPairs {
  readonly high: number;
  readonly low: readonly [first: number, last: number];
}

export type Undo = (units: Uint16Array, start: number, end: number) => string | null;

/** Every run of so many characters or more that something comes out of. */
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
  return pieces;
}

export function holdsHidden(units: Uint16Array, length: number, hidden: Hidden, least: number): boolean {
  for (let at = 0; at < length;) {
    const end = endOfRun(units, at, length, hidden, least);
    if (end > 0) return true;
    at = Math.max(-end, at + 1);
  }
  return false;
}

/** Negative when the run is too short. */
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
