import { KIND, WORDY } from './runs-of-units.ts';
import { LETTER, SORT } from './sorts.ts';

/**
 * Letters of other scripts, each by itself or a syllable at a time, with signs between them: `и.г.н.о.р.и.р.у.й`, `忽\略`, `忽 略`.
 * Of Latin letters spelled-out.ts knows more, and asks more: there, initials and formulas look the same.
 */

/** Letters and their marks; more of them side by side are a word. */
const MOST_GROUP = 3;
/** Parted by blanks, short words are nothing unusual; letters are, and pairs where blanks do not part words. */
const MOST_ALONE = 1;
const MOST_UNPARTED = 2;
const MOST_GAP = 4;
/** Of the first so many gaps, so many are no gaps between words. */
const ASKED = 6;
const LEAST_JOINS = 4;

/** Kana and ideographs. */
const FIRST_UNPARTED = 0x3041;
const LAST_UNPARTED = 0x9fff;

/** Behind a group of letters; -1 when there is none, or when it is a word. */
function groupEnd(units: Uint16Array, at: number, length: number): number {
  let end = at;
  while (end < length && SORT[units[end]!] === LETTER) {
    end += 1;
    if (end - at > MOST_GROUP) return -1;
  }
  return end > at ? end : -1;
}

/** Behind the signs of ASCII up to the next letter; -1 when something else comes, or too many of them. */
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

function isSame(units: Uint16Array, one: number, other: number, size: number): boolean {
  for (let i = 0; i < size; i += 1) if (units[one + i] !== units[other + i]) return false;
  return true;
}

function mostIn(units: Uint16Array, at: number, parting: boolean): number {
  if (!parting) return MOST_GROUP;
  return units[at]! >= FIRST_UNPARTED && units[at]! <= LAST_UNPARTED ? MOST_UNPARTED : MOST_ALONE;
}

/** Behind the first gap of a row that may begin here, -1 where none does. Asked at each word of a language, so by itself. */
function firstGapEnd(units: Uint16Array, at: number, length: number): number {
  const to = groupEnd(units, at, length);
  const next = to === -1 ? -1 : gapEnd(units, to, length);
  return next === -1 || to - at > mostIn(units, at, hasBlank(units, to, next)) ? -1 : next;
}

/**
 * Walks a row from its first letter. Of each group it tells where it stands, and whether it goes on without a gap between words:
 * across whatever stands between the first two, and across anything without a blank. Ends where `told` says so.
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
    const joins = (from - gap === size && isSame(units, gap, usual, size)) || !hasBlank(units, gap, from);
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
