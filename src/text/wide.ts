import { ASCII_LOOK_ALIKES } from './ascii-look-alikes.ts';
import { isApartAt } from './letters-apart.ts';
import { markLetter, startLookAlikes } from './look-alikes.ts';
import { MARK } from './marks.ts';
import { firstBefore, picture, signBetween, startPictures } from './pictures.ts';
import { value } from './signs.ts';
import { ACCENTED, DASH, HIGH, JOINER, LETTER, LOW, PLAIN, QUOTE, SELECTOR, SORT, SPACE } from './sorts.ts';
import { STRING_OPENINGS } from './terminal.ts';
import { isAlphanumeric, isAsciiLetter, isDigit } from './units.ts';

/**
 * What a non-ASCII character means at its position. In harmless text, quotes are curly, words have accents and whole
 * sentences are Russian or Chinese. None of that hides an English word, and folding it would mean reading the text
 * again for nothing. Whatever is not known to be ordinary is marked as strange.
 */

/**
 * Pictures and punctuation that fold to ASCII. The trademark sign and the ellipsis are exempt: both are ordinary next
 * to a word.
 */
const CHANGED = changed();
/** Longest distance between two dashes in `ignore–all–previous`. */
const NEAR = 24;

/** Where the last dash inside a word stood. */
let dash = 0;

/** Digits between two dashes of a number, as in `562–94–6681`. One dash alone stands between two years. */
const LONGEST_GROUP = 8;

/** Where the last dash between two digits stood. */
let numberDash = 0;

/** To be called before the first characters of a text. */
export function startWide(): void {
  startLookAlikes();
  startPictures();
  dash = -NEAR;
  numberDash = -NEAR;
}

export function markWide(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  if (unit <= LAST_LEAD && isMisread(units, at, end)) return MARK.mojibake | sortMark(units, at, end);
  return sortMark(units, at, end);
}

/** The last byte that can begin a character in UTF-8. */
const LAST_LEAD = 0xf4;

/** Two bytes of UTF-8, each misread as a character: mojibake. */
function isMisread(units: Uint16Array, at: number, end: number): boolean {
  const after = at + 1 < end ? (units[at + 1] as number) : 0;
  return (units[at] as number) >= 0xc2 && after >= 0x80 && after <= 0xbf;
}

function sortMark(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  const before = at > 0 ? (units[at - 1] as number) : 0;
  const after = at + 1 < end ? (units[at + 1] as number) : 0;
  switch (SORT[unit]) {
    case PLAIN:
      return CHANGED[unit] === 1 ? besideLetter(before, after) : between(before, after) | signBetween(units, at, end);
    case LETTER:
      return markLetter(units, at, end, before, after) | (isApartAt(units, at, end) ? MARK.apart : 0);
    case ACCENTED:
      return MARK.accented;
    case SPACE:
      return isAlphanumeric(before) || isAlphanumeric(after) ? MARK.accented : 0;
    case DASH: {
      if (isDigit(before) && isDigit(after)) {
        const isOfNumber = at - numberDash <= LONGEST_GROUP;
        numberDash = at;
        return isOfNumber ? MARK.accented : 0;
      }
      if (!isAsciiLetter(before) || !isAsciiLetter(after)) return 0;
      const near = at - dash <= NEAR;
      dash = at;
      return near ? MARK.strange : 0;
    }
    case QUOTE: {
      const isApostrophe = unit === 0x2018 || unit === 0x2019;
      return (isApostrophe ? 0 : between(before, after)) | value(units, at);
    }
    case SELECTOR:
      return isAlphanumeric(before) ||
        before === 0x23 ||
        before === 0x2a ||
        before === 0x20 ||
        SORT[before] === SELECTOR ||
        SORT[before] === SPACE
        ? MARK.strange | MARK.selectors
        : isAsciiLetter(after) && isAsciiLetter(units[firstBefore(units, at)] ?? 0)
          ? MARK.strange
          : 0;
    case JOINER:
      return before > 0x7f && after > 0x7f && isJoined(before) && isJoined(after) ? 0 : MARK.strange | MARK.invisible;
    case HIGH:
      return SORT[after] === LOW && isOrdinaryPair(unit, after) ? picture(units, at, end) : (STRANGES[unit] as number);
    case LOW:
      return SORT[before] === HIGH ? 0 : MARK.strange;
    default:
      return STRANGES[unit] as number;
  }
}

function stranges(): Int32Array {
  const table = new Int32Array(65_536).fill(MARK.strange);
  const set = (first: number, last: number, mark: number): void =>
    void table.fill(MARK.strange | mark, first, last + 1);
  for (const opening of STRING_OPENINGS) set(opening, opening, MARK.terminal);
  set(0x202e, 0x202e, MARK.override);
  set(0xdb40, 0xdb40, MARK.tags | MARK.selectors);
  for (const [first, last] of [
    [0x180e, 0x180e],
    [0x200b, 0x200f],
    [0x2060, 0x2064],
    [0xfeff, 0xfeff],
  ] as const)
    set(first, last, MARK.invisible);
  set(0x2800, 0x28ff, MARK.braille);
  for (const char of 'ɐɔǝɟɥɯɹʇʌʍʎʞᴉ') set(char.charCodeAt(0), char.charCodeAt(0), MARK.turned);
  return table;
}

/** The marks are kept in a table because a text may hold millions of strange characters. */
const STRANGES = stranges();

function between(before: number, after: number): number {
  return isAsciiLetter(before) && isAsciiLetter(after) ? MARK.strange : 0;
}

function besideLetter(before: number, after: number): number {
  return isAsciiLetter(before) || isAsciiLetter(after) ? MARK.strange : 0;
}

function isJoined(unit: number): boolean {
  const sort = SORT[unit];
  return sort === LETTER || sort === SELECTOR || sort === LOW || sort === HIGH || sort === PLAIN;
}

/** Emoji and the rarer ideographs, but not letters in boxes and circles, which spell words. */
function isOrdinaryPair(high: number, low: number): boolean {
  if (high === 0xd83c) return low >= 0xdf00;
  return high === 0xd83d || high === 0xd83e || (high >= 0xd840 && high <= 0xd888);
}

function changed(): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let unit = 0; unit < table.length; unit++)
    if (SORT[unit] === PLAIN && unit !== 0x2122 && unit !== 0x2026 && becomesAscii(unit)) table[unit] = 1;
  return table;
}

function becomesAscii(unit: number): boolean {
  return (ASCII_LOOK_ALIKES[unit] as number) !== 0 || /[\0-\x7f]/.test(String.fromCharCode(unit).normalize('NFKC'));
}
