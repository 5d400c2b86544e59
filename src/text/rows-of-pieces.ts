import { isCodeUnit } from './cut-codes.ts';
import type { Run } from './decoders/runs.ts';
import { areAlike } from './units.ts';

/** Finds base64 that is split into pieces of equal width, with the same separator between each two, whatever it is. */

const DASH = 0x2d;
const UNDERSCORE = 0x5f;
const SHORTEST_PIECE = 2;
const LONGEST_PIECE = 23;
/** Longest separator: a line end, a quotation mark such as `> `, or quotes with their comma. */
const MOST_BETWEEN = 8;
/** Two pieces of this length are not words, and neither are three of any length. */
const LEAST_OF_TWO = 8;
const LEAST_PIECES = 3;

/** Pieces of equal width at equal distances, and a shorter last piece if there is one. */
export interface Row extends Run {
  readonly width: number;
  readonly step: number;
  /** How many pieces have the full width, and where the last of those begins. */
  readonly whole: number;
  readonly lastWhole: number;
}

/**
 * The end of the piece that begins at `start`; 0 if none does. Of the base64 symbols only `+` and `/` are part of
 * pieces; `-` and `_` separate them.
 */
export function pieceFrom(units: Uint16Array, start: number, length: number): number {
  if (start > 0 && isPiecePart(units[start - 1] as number)) return 0;
  return endOfPiece(units, start, length);
}

function endOfPiece(units: Uint16Array, start: number, length: number): number {
  let end = start;
  while (end < length && isPiecePart(units[end] as number)) end++;
  return end === start ? 0 : end;
}

/**
 * The row from the piece in `[start, end)` on, as far as pieces of the same width follow at the same distance, and of
 * at most `most` full pieces.
 */
export function rowOfPieces(units: Uint16Array, start: number, end: number, length: number, most = Infinity): Row {
  const width = end - start;
  const next = nextPiece(units, end, length);
  const step = next - start;
  let last = end;
  let lastWhole = start;
  let whole = 1;
  if (width >= SHORTEST_PIECE && width <= LONGEST_PIECE && next - end <= MOST_BETWEEN)
    for (let at = next; whole < most && at < length && areAlike(units, end, last, next - end); at += step) {
      const to = endOfPiece(units, at, Math.min(length, at + width + 1));
      if (to === 0 || to - at > width) break;
      last = to;
      if (to - at < width) break;
      lastWhole = at;
      whole++;
    }
  return { start, end: last, width, step, whole, lastWhole };
}

/**
 * Whether another piece of the same width may follow. Most words are ruled out here, before a row object is created for
 * them.
 */
export function mayGoOn(units: Uint16Array, start: number, end: number, length: number): boolean {
  const next = nextPiece(units, end, length);
  const last = next + end - start;
  return (
    last <= length && isPiecePart(units[last - 1] as number) && !(last < length && isPiecePart(units[last] as number))
  );
}

/** Where the next piece may begin; more than MOST_BETWEEN away if there is none. */
function nextPiece(units: Uint16Array, end: number, length: number): number {
  let next = end;
  while (next < length && next - end <= MOST_BETWEEN && !isPiecePart(units[next] as number)) next++;
  return next;
}

export function isPieceEnough({ width, whole }: Row): boolean {
  return whole >= LEAST_PIECES || (whole === 2 && width >= LEAST_OF_TWO);
}

/** Up to where words have been checked already: each digit of a word would get the same answer. */
let asked = 0;

export function startPieces(): void {
  asked = 0;
}

/** Whether the word around a digit is a piece of such a row, the first piece or a later one. */
export function isPieceAt(units: Uint16Array, digit: number, length: number): boolean {
  if (digit < asked) return false;
  let start = digit;
  while (start > 0 && digit - start <= LONGEST_PIECE && isPiecePart(units[start - 1] as number)) start--;
  const end = endOfPiece(units, digit, Math.min(length, start + LONGEST_PIECE + 1));
  const width = end - start;
  asked = Math.max(end, digit + 1);
  if (width < SHORTEST_PIECE || width > LONGEST_PIECE) return false;
  if (isPieceEnough(rowOfPieces(units, start, end, length, LEAST_PIECES))) return true;
  let between = start;
  while (between > 0 && start - between <= MOST_BETWEEN && !isPiecePart(units[between - 1] as number)) between--;
  const size = start - between;
  let first = start;
  for (let pieces = 1; pieces < LEAST_PIECES; pieces++) {
    const before = first - size - width;
    if (size === 0 || before < 0 || !areAlike(units, first - size, between, size)) break;
    if (pieceFrom(units, before, first) !== before + width) break;
    first = before;
  }
  return first < start && isPieceEnough(rowOfPieces(units, first, first + width, length, LEAST_PIECES));
}

function isPiecePart(unit: number): boolean {
  return isCodeUnit(unit) && unit !== DASH && unit !== UNDERSCORE;
}
