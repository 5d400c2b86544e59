import { KIND, WORDY } from '../runs-of-units.ts';
import { isAsciiLetter, isBlank } from '../units.ts';
import { spaced } from '../words.ts';
import type { Decoded } from './decoder.ts';
import type { Run } from './runs.ts';

/**
 * Rows of single characters with the same separator after each: `4-9 6-7 6-e`, `% 4 9 % 6 7`. The characters may be of
 * a code as well as of words, so they can be anything; only the separator must repeat.
 */

/** With fewer repetitions of the separator, a row is a short list or a formula. */
const LEAST_JOINS = 8;
const LEAST_CHARS = 12;
/** One-character words have no separator. More of them in a row are a different kind of list. */
const MOST_LONE = 4;
const MOST_GAP = 8;
/** Share of the characters that may equal the separator: in a line of dashes all do. */
const MOST_ALIKE = 1 / 3;
const NONE: readonly Row[] = [];
/** The first high and the first low surrogate. A surrogate pair is one character. */
const LEAD = 0xd800;
const TRAIL = 0xdc00;

interface Row extends Run {
  readonly separator: number;
  readonly isApart: boolean;
}

export function rowsApart(units: Uint16Array, { start, end }: Run, length: number): readonly Row[] {
  if (end - start < LEAST_CHARS + LEAST_JOINS) return NONE;
  const rows: Row[] = [];
  for (let at = start; at + 2 < end;) {
    const row = keepsStep(units, at, length) ? rowAt(units, at, length) : null;
    if (row?.isApart) rows.push(row);
    at = row === null ? at + 1 : row.end;
  }
  return rows;
}

export function joinedRow(text: string, { start, end, separator }: Row): Decoded {
  const parts: string[] = [];
  let isWords = true;
  let kept = start;
  // After each character comes its separator, which is dropped, or a gap between words.
  for (let at = start; at < end;) {
    const next = at + widthAt(text.charCodeAt(at), text.charCodeAt(at + 1));
    isWords &&= isAsciiLetter(text.charCodeAt(at));
    parts.push(text.slice(at, next));
    kept = next;
    if (next >= end) break;
    if (text.charCodeAt(next) === separator && !isGapAt(text, next, separator)) at = next + 1;
    else {
      at = next;
      while (at < end && isBlank(text.charCodeAt(at))) at++;
      parts.push(' ');
      isWords = false;
    }
  }
  const plain = parts.join('');
  return { text: isWords ? spaced(plain) : plain, start, end: kept };
}

/**
 * Whether a row may begin at `at`: the first two characters must be followed by the same thing, which is rare. Asked at
 * every position.
 */
function keepsStep(units: Uint16Array, at: number, length: number): boolean {
  if (isBlank(units[at] as number)) return false;
  if (at + 3 >= length || isSurrogate(units[at] as number) || isSurrogate(units[at + 2] as number)) return true;
  const after = units[at + 3] as number;
  return after === units[at + 1] || isBlank(after) || isBlank(units[at + 1] as number);
}

/**
 * The row that begins at `start`. Returns null within a few characters if there is none, so that asking at every
 * position stays linear.
 */
function rowAt(units: Uint16Array, start: number, length: number): Row | null {
  const separator = units[start + widthAt(units[start] as number, units[start + 1] as number)] as number;
  if (start + 2 >= length || isAlnum(separator)) return null;
  let joins = 0;
  let chars = 0;
  let alike = 0;
  let lone = 0;
  let end = start;
  for (let at = start; at < length;) {
    const unit = units[at] as number;
    const next = at + widthAt(unit, units[at + 1] as number);
    const after = next < length ? (units[next] as number) : 0x20;
    // Two letters or digits are adjacent: a word begins here, and its first letter is not part of the row.
    if (after !== separator && !isBlank(after) && isAlnum(after) && isAlnum(unit)) break;
    chars++;
    if (unit === separator) alike++;
    end = next;
    if (next + 1 >= length) break;
    if (after === separator && isCharAt(units, next + 1, separator, length)) {
      joins++;
      lone = 0;
      at = next + 1;
      continue;
    }
    if (!isBlank(after)) break;
    let to = next;
    while (to < length && to - next <= MOST_GAP && isBlank(units[to] as number)) to++;
    lone++;
    if (to >= length || to - next > MOST_GAP || lone > MOST_LONE) break;
    at = to;
  }
  if (joins < LEAST_JOINS) return null;
  return { start, end, separator, isApart: chars >= LEAST_CHARS && alike <= chars * MOST_ALIKE };
}

/**
 * What follows a separator is a character of the row if it is visible, or if it is a blank with a separator of its own
 * after it.
 */
function isCharAt(units: Uint16Array, at: number, separator: number, length: number): boolean {
  const unit = units[at] as number;
  return !isBlank(unit) || (unit !== separator && at + 1 < length && units[at + 1] === separator);
}

function isGapAt(text: string, at: number, separator: number): boolean {
  const unit = text.charCodeAt(at + 1);
  return isBlank(unit) && (unit === separator || text.charCodeAt(at + 2) !== separator);
}

function widthAt(unit: number, next: number): number {
  return unit >= LEAD && unit < TRAIL && next >= TRAIL && next < 0xe000 ? 2 : 1;
}

function isSurrogate(unit: number): boolean {
  return unit >= LEAD && unit < 0xe000;
}

function isAlnum(unit: number): boolean {
  return ((KIND[unit] as number) & WORDY) !== 0;
}
