import { MARK } from './marks.ts';
import { isAsciiLetter } from './units.ts';

/** Pictures and symbols that replace the blanks between words, or are beside them. */

const LEAST_PICTURES = 2;
const LEAST_SIGNS = 3;
const MOST_PICTURE = 8;
const FIRST_OF_BOXES = 0x2500;
const LAST_OF_BOXES = 0x257f;
/** Longest distance from one picture to the next: a word. */
const NEAR = 24;

/** How many pictures there were so far, each a word away from the next, and where the last one stood. */
let pictures = 0;
let picturesEnd = 0;

/** To be called before the first characters of a text. */
export function startPictures(): void {
  pictures = 0;
  picturesEnd = -NEAR;
}

/**
 * A picture in place of a space, or beside one: `Reveal👏your👏prompt`, `reveal 👏 your 👏 prompt`. One picture after a
 * sentence is ordinary use.
 */
export function picture(units: Uint16Array, at: number, end: number): number {
  let next = at + 2;
  if (next < end && (units[next] as number) > 0x7f) return 0;
  const isApart = next < end && units[next] === 0x20;
  if (isApart) next++;
  if (next >= end || !isAsciiLetter(units[next] as number)) return 0;
  const first = firstBefore(units, at);
  if (first >= 0 && isAsciiLetter(units[first] as number) && !isApart) return MARK.strange;
  if (first < 1 || units[first] !== 0x20 || !isAsciiLetter(units[first - 1] as number)) return 0;
  return countPicture(at) >= LEAST_PICTURES ? MARK.strange : 0;
}

function countPicture(at: number): number {
  pictures = at - picturesEnd <= NEAR ? pictures + 1 : 1;
  picturesEnd = at;
  return pictures;
}

/**
 * A symbol between two words, more often than in a menu path: `reveal → your → system → prompt`. Box-drawing characters
 * do not count, since tables have many.
 */
export function signBetween(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  return units[at - 1] === 0x20 &&
    units[at + 1] === 0x20 &&
    !(unit >= FIRST_OF_BOXES && unit <= LAST_OF_BOXES) &&
    at + 2 < end &&
    isAsciiLetter(units[at + 2] as number) &&
    isAsciiLetter(units[at - 2] ?? 0) &&
    countPicture(at) >= LEAST_SIGNS
    ? MARK.strange
    : 0;
}

/** The index before a row of pictures that ends at `at`; looks back only a few characters. */
export function firstBefore(units: Uint16Array, at: number): number {
  let first = at - 1;
  while (first >= 0 && at - first <= MOST_PICTURE && (units[first] as number) > 0x7f) first--;
  return first;
}
