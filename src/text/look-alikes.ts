import { ASCII_LOOK_ALIKES } from './ascii-look-alikes.ts';
import { MARK } from './marks.ts';
import { eachMember } from './members.ts';
import { LETTER, SORT } from './sorts.ts';
import { isAsciiLetter } from './units.ts';
import { isWordIn } from './words.ts';

const LEAST_WORD = 3;
const LEAST_ROW = 3;
const LEAST_LONG = 4;

/**
 * How many words in a row could each be read as Latin, how many of the last of those are known words, and where the
 * last one ends.
 */
let row = 0;
let known = 0;
let wordEnd = 0;

/** To be called before the first characters of a text. */
export function startLookAlikes(): void {
  row = known = wordEnd = 0;
}

/**
 * The mark for a non-Latin letter. A look-alike next to a Latin letter is a disguise. A word of nothing but look-alikes
 * is looked up in the word list, once, at its first letter; a row of such words counts even if the list does not know
 * them. Half of the words of Russian consist of look-alikes, so a word of letters that Russian uses says nothing unless
 * it is among Latin words. Hardly any English sentence can be written with those letters alone.
 */
export function markLetter(units: Uint16Array, at: number, end: number, before: number, after: number): number {
  if ((ASCII_LOOK_ALIKES[units[at] as number] as number) === 0) {
    row = known = 0;
    if (isOfMixedWord(units[at] as number, before, after)) return MARK.strange;
    return at > 0 && isMark(units[at] as number) && before < 0x80 ? MARK.strange : 0;
  }
  if (isAsciiLetter(before) || isAsciiLetter(after)) return MARK.strange;
  if (SORT[before] === LETTER) return 0;
  let isForeign = false;
  let to = at;
  while (to < end && SORT[units[to] as number] === LETTER) {
    const unit = units[to] as number;
    if ((ASCII_LOOK_ALIKES[unit] as number) === 0) {
      row = known = 0;
      return 0;
    }
    isForeign ||= COMMON[unit] === 0;
    to++;
  }
  const left = beside(units, at, -1, end);
  const right = beside(units, to - 1, 1, end);
  // A letter or two between Latin words may be a disguised Latin word.
  if (to - at < LEAST_WORD) return left === LATIN && right === LATIN ? MARK.strange : 0;
  if (at - wordEnd > LEAST_WORD + 1) row = known = 0;
  wordEnd = to;
  if (to - at >= LEAST_LONG) row++;
  known = isWordIn(units, at, to, LIKE_LETTERS) ? known + 1 : 0;
  if (isForeign) return row >= LEAST_ROW || known > 0 || left === LATIN || right === LATIN ? MARK.strange : 0;
  const isAmongOwn = left === OWN && right === OWN;
  const isAmongLatin = (left === LATIN && right !== OWN) || (right === LATIN && left !== OWN);
  return isAmongLatin || known > 1 || (known === 1 && !isAmongOwn) ? MARK.strange : 0;
}

/** Greek or Cyrillic beside a Latin letter: a word of both (own-script.ts). Chinese and others stand beside Latin words anyway. */
function isOfMixedWord(unit: number, before: number, after: number): boolean {
  return unit >= 0x370 && unit <= 0x52f && (isAsciiLetter(before) || isAsciiLetter(after));
}

const LATIN = 1;
const OWN = 2;
/** Most blanks and punctuation between two words. */
const MOST_BETWEEN = 3;

/** The script of the next word on one side: LATIN, OWN (not Latin), or 0 if there is no word. */
function beside(units: Uint16Array, from: number, step: number, end: number): number {
  for (let at = from + step; at >= 0 && at < end && Math.abs(at - from) <= MOST_BETWEEN + 1; at += step) {
    const unit = units[at] as number;
    if (isAsciiLetter(unit)) return LATIN;
    if (SORT[unit] === LETTER) return OWN;
  }
  return 0;
}

/** The Latin letter that each unit looks like, numbered as in the trie. */
const LIKE_LETTERS = ASCII_LOOK_ALIKES.slice(0, 65_536).map((unit) => (isAsciiLetter(unit) ? (unit | 0x20) - 96 : 0));

function isMark(unit: number): boolean {
  return MARKS[unit] === 1;
}

const MARKS = marks();

function marks(): Uint8Array {
  const table = new Uint8Array(65_536);
  eachMember(table.length, [/\p{M}+/gu, (code) => (table[code] = 1)]);
  return table;
}

/**
 * The letters of Greek, Russian and Ukrainian. Cyrillic has further letters, and those look even more like Latin ones.
 */
const COMMON = new Uint8Array(65_536);
for (const [first, last] of [
  ['Ά', 'ώ'],
  ['А', 'я'],
] as const)
  COMMON.fill(1, first.charCodeAt(0), last.charCodeAt(0) + 1);
for (const char of 'ЁёЄєІіЇїҐґ') COMMON[char.charCodeAt(0)] = 1;
