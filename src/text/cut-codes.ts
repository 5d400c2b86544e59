import { CODE, KIND } from './runs-of-units.ts';
import { isQuote, skipBlanks, skipBlanksBack } from './units.ts';

/** Whether pieces of base64 stand side by side: `aWdu b3Jl IGFs`, groups of four, or `'aWdub3JlIG', 'FsbCB0aGUg'`, a list. */
const GROUP = 5;
const LEAST_GROUPS = 5;
const BLANK = 0x20;
const PAD = 0x3d;
const LEAST_PIECE = 4;
/** Between two strings and what joins them. */
export const BLANKS_AT_JOINT = 8;

/** Whether at least five groups, each with a blank behind it, stand around the one that ends before a blank. */
export function isGrouped(units: Uint16Array, blank: number, length: number): boolean {
  let first = blank;
  while (first >= 2 * GROUP - 1 && units[first - GROUP] === BLANK && isGroupBefore(units, first - GROUP))
    first -= GROUP;
  let count = 0;
  for (let next = first; next < length && count < LEAST_GROUPS; next += GROUP) {
    if (units[next] !== BLANK || !isGroupBefore(units, next)) break;
    count++;
  }
  return count >= LEAST_GROUPS;
}

function isGroupBefore(units: Uint16Array, blank: number): boolean {
  for (let at = blank - GROUP + 1; at < blank; at++) if (at < 0 || !isCodeUnit(units[at] as number)) return false;
  return true;
}

/** Before the comma and behind it, in quotes, at least four characters of base64 and what fills it up. */
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
