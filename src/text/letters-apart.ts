import { KIND, WORDY } from './runs-of-units.ts';
import { LETTER, SORT } from './sorts.ts';
import { areAlike } from './units.ts';

/**
 * Letters of scripts other than Latin, spaced out by single characters or syllables: `и.г.н.о.р.и.р.у.й`, `忽\略`, `忽 略`.
 * Latin letters are handled by spelled-out.ts, which is stricter, because initials and formulas look the same there.
 */

/** Most letters and marks in one group; more of them side by side are a word. */
const MOST_GROUP = 3;
/**
 * Most letters in one group where groups are separated by blanks. Short words between blanks are common, so only single
 * letters count; in scripts that put no blanks between words, pairs do as well.
 */
const MOST_ALONE = 1;
const MOST_UNPARTED = 2;
const MOST_GAP = 4;
/**
 * A row needs LEAST_JOINS joins among its first ASKED gaps. A join is a gap that does not look like a gap between
 * words.
 */
const ASKED = 6;
const LEAST_JOINS = 4;

/** Scripts without blanks between words: kana and ideographs. */
const FIRST_UNPARTED = 0x3041;
const LAST_UNPARTED = 0x9fff;

/** The end of the group of letters that begins at `at`; -1 if there is none, or if it is long enough to be a word. */
function groupEnd(units: Uint16Array, at: number, length: number): number {
  let end = at;
  while (end < length && SORT[units[end]!] === LETTER) {
    end += 1;
    if (end - at > MOST_GROUP) return -1;
  }
  return end > at ? end : -1;
}

/** The end of the ASCII symbols up to the next letter; -1 if anything else follows, or if there are too many. */
function gapEnd(units: Uint16Array, at: number, length: number): number {
  let end = at;
  while (end < length && units[end]! < 0x80 && (KIND[units[end]!]! & WORDY) === 0) {
    end += 1;
    if (end - at > MOST_GAP) return -1;
  }
  return end > at && end < length && SORT[units[end]!] === LETTER ? end : -1;
}

function hasBlank(units: Uint16Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (units[at]! <= 0x20) return true;
  return false;
}

/** Most letters that a group may have; `parting` says that blanks separate the groups. */
function mostIn(units: Uint16Array, at: number, parting: boolean): number {
  if (!parting) return MOST_GROUP;
  return units[at]! >= FIRST_UNPARTED && units[at]! <= LAST_UNPARTED ? MOST_UNPARTED : MOST_ALONE;
}

/**
 * The end of the first gap of a row that may begin at `at`; -1 if none does. A separate function because it runs for
 * every word of such a language.
 */
function firstGapEnd(units: Uint16Array, at: number, length: number): number {
  const to = groupEnd(units, at, length);
  const next = to === -1 ? -1 : gapEnd(units, to, length);
  return next === -1 || to - at > mostIn(units, at, hasBlank(units, to, next)) ? -1 : next;
}

/**
 * Walks along a row from its first letter and calls `told` with the range of each group and whether it joins the group
 * before. Groups join if the gap between them is the same as the first gap of the row, or contains no blank. Stops when
 * `told` returns false.
 */
export function walkApart(
  units: Uint16Array,
  start: number,
  length: number,
  told: (from: number, to: number, joins: boolean) => boolean,
): void {
  let next = firstGapEnd(units, start, length);
  if (next === -1) return;
  let from = start;
  let to = groupEnd(units, from, length);
  const usual = to;
  const size = next - to;
  const parting = hasBlank(units, to, next);
  if (!told(from, to, false)) return;
  while (next !== -1) {
    const gap = to;
    from = next;
    to = groupEnd(units, from, length);
    if (to === -1 || to - from > mostIn(units, from, parting)) return;
    const joins = (from - gap === size && areAlike(units, gap, usual, size)) || !hasBlank(units, gap, from);
    if (!told(from, to, joins)) return;
    next = gapEnd(units, to, length);
  }
}

/** Whether such a row begins here. */
export function isApartAt(units: Uint16Array, at: number, length: number): boolean {
  if ((at > 0 && SORT[units[at - 1]!] === LETTER) || firstGapEnd(units, at, length) === -1) return false;
  let gaps = -1;
  let joined = 0;
  walkApart(units, at, length, (_from, _to, joins) => {
    gaps += 1;
    if (joins) joined += 1;
    return joined < LEAST_JOINS && gaps < ASKED;
  });
  return joined >= LEAST_JOINS;
}
