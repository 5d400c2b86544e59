import { CODE, KIND } from './runs-of-units.ts';
import { isCapital, isDigit, isQuote, skipBlanks, skipBlanksBack } from './units.ts';

/**
 * Recognizes pieces of base64 side by side: groups of four (`aWdu b3Jl IGFs`), or a list of strings (`'aWdub3JlIG',
 * 'FsbCB0aGUg'`).
 */
const GROUP = 5;
const LEAST_GROUPS = 5;
const BLANK = 0x20;
const PAD = 0x3d;
const LEAST_PIECE = 4;
/** Most blanks allowed between two strings and the operator that joins them. */
export const BLANKS_AT_JOINT = 8;

/** A row of groups, each followed by a blank: where the last of them ends, and whether they could be a code. */
export interface Groups {
  readonly end: number;
  readonly isCode: boolean;
}

/**
 * The groups around the group that ends before the blank at `blank`. Rows of four-letter words are common in prose; a
 * code also has a digit, or a capital after the first letter of a group.
 */
export function groupsAt(units: Uint16Array, blank: number, length: number): Groups {
  let first = blank;
  while (first >= 2 * GROUP - 1 && units[first - GROUP] === BLANK && isGroupBefore(units, first - GROUP))
    first -= GROUP;
  let count = 0;
  let isMixed = false;
  let next = first;
  for (; next < length && units[next] === BLANK && isGroupBefore(units, next); next += GROUP) {
    count++;
    isMixed ||= isMixedBefore(units, next);
  }
  return { end: next, isCode: isMixed && count >= LEAST_GROUPS };
}

function isMixedBefore(units: Uint16Array, blank: number): boolean {
  for (let at = blank - GROUP + 1; at < blank; at++) {
    const unit = units[at] as number;
    if (isDigit(unit) || (isCapital(unit) && at > blank - GROUP + 1)) return true;
  }
  return false;
}

function isGroupBefore(units: Uint16Array, blank: number): boolean {
  for (let at = blank - GROUP + 1; at < blank; at++) if (at < 0 || !isCodeUnit(units[at] as number)) return false;
  return true;
}

/**
 * Whether there are quoted pieces of base64 on both sides of the comma, each with at least four characters and optional
 * `=` padding.
 */
export function isCodeList(units: Uint16Array, comma: number, end: number): boolean {
  let left = skipBlanksBack(units, comma - 1, BLANKS_AT_JOINT) - 1;
  for (let pads = 0; pads < 2 && left >= 0 && units[left] === PAD; pads++) left--;
  let first = left;
  while (first >= 0 && isCodeUnit(units[first] as number)) first--;
  if (left - first < LEAST_PIECE || first < 0 || !isQuote(units[first] as number)) return false;
  const right = skipBlanks(units, comma + 1, end, BLANKS_AT_JOINT) + 1;
  let last = right;
  while (last < end && isCodeUnit(units[last] as number)) last++;
  if (last - right < LEAST_PIECE) return false;
  for (let pads = 0; pads < 2 && last < end && units[last] === PAD; pads++) last++;
  return last < end && isQuote(units[last] as number);
}

export function isCodeUnit(unit: number): boolean {
  return ((KIND[unit] as number) & CODE) !== 0;
}
