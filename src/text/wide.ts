import { ASCII_LIKENESS } from './likeness.ts';
import { MARK } from './marks.ts';
import { eachMember } from './members.ts';
import { isAsciiLetter, isDigit } from './units.ts';
import { value } from './signs.ts';
import { isWordIn } from './words.ts';

/**
 * What a character outside ASCII means where it stands. In an honest letter, quotes are curly, words have accents and
 * whole sentences are Russian or Chinese: nothing of that hides an English word, and folding it would read the text again
 * for nothing. What is not known to be ordinary is strange.
 */
const STRANGE = 0;
/** Punctuation and pictures, which at most stand between two words. */
const PLAIN = 1;
/** Letters and marks of a script in use. */
const LETTER = 2;
const ACCENTED = 3;
const SPACE = 4;
const DASH = 5;
const QUOTE = 6;
const SELECTOR = 7;
const JOINER = 8;
const HIGH = 9;
const LOW = 10;

const SORT = sorts();
/** Pictures and punctuation that come out as ASCII. A trade mark beside a word is one, and dots are dots. */
const CHANGED = changed();
const LEAST_WORD = 3;
const LEAST_ROW = 3;
const LEAST_LONG = 4;
/** Between two dashes of `ignore–all–previous`. */
const NEAR = 24;

/** Words in a row that could each be read as Latin, and where the last dash within a word stood. */
let row = 0;
let wordEnd = 0;
let dash = 0;
/** Pictures one after another, each a word away from the next, and where the last stood. */
let pictures = 0;
let picturesEnd = 0;

export function startWide(): void {
  row = 0;
  wordEnd = 0;
  dash = -NEAR;
  pictures = 0;
  picturesEnd = -NEAR;
}

export function markWide(units: Uint16Array, at: number, end: number): number {
  const unit = units[at] as number;
  if (unit <= LAST_LEAD && isMisread(units, at, end)) return MARK.mojibake | sortMark(units, at, end);
  return sortMark(units, at, end);
}

/** The last byte that begins a character in UTF-8. */
const LAST_LEAD = 0xf4;

/** Two bytes of UTF-8, each taken for a character. */
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
      return CHANGED[unit] === 1 ? besideLetter(before, after) : between(before, after);
    case LETTER:
      return letter(units, at, end, before, after);
    case ACCENTED:
      return MARK.accented;
    case SPACE:
      return isAlphanumeric(before) || isAlphanumeric(after) ? MARK.accented : 0;
    case DASH: {
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

/** Of each, since a text may hold millions of them. */
const STRANGES = stranges();

/** `Reveal👏your👏prompt`, `reveal 👏 your 👏 prompt`: a picture for a space, or beside it. One after a sentence is what they are for. */
function picture(units: Uint16Array, at: number, end: number): number {
  let next = at + 2;
  if (next < end && (units[next] as number) > 0x7f) return 0;
  const isApart = next < end && units[next] === 0x20;
  if (isApart) next++;
  if (next >= end || !isAsciiLetter(units[next] as number)) return 0;
  let first = at - 1;
  while (first >= 0 && at - first <= MOST_PICTURE && (units[first] as number) > 0x7f) first--;
  if (first >= 0 && isAsciiLetter(units[first] as number) && !isApart) return MARK.strange;
  if (first < 1 || units[first] !== 0x20 || !isAsciiLetter(units[first - 1] as number)) return 0;
  pictures = at - picturesEnd <= NEAR ? pictures + 1 : 1;
  picturesEnd = at;
  return pictures >= LEAST_PICTURES ? MARK.strange : 0;
}

const LEAST_PICTURES = 2;
const MOST_PICTURE = 8;

function between(before: number, after: number): number {
  return isAsciiLetter(before) && isAsciiLetter(after) ? MARK.strange : 0;
}

function besideLetter(before: number, after: number): number {
  return isAsciiLetter(before) || isAsciiLetter(after) ? MARK.strange : 0;
}

function isAlphanumeric(unit: number): boolean {
  return isAsciiLetter(unit) || isDigit(unit);
}

function isJoined(unit: number): boolean {
  const sort = SORT[unit];
  return sort === LETTER || sort === SELECTOR || sort === LOW || sort === HIGH || sort === PLAIN;
}

/** Emoji and the rarer ideographs; not letters in boxes and circles, which spell words. */
function isOrdinaryPair(high: number, low: number): boolean {
  if (high === 0xd83c) return low >= 0xdf00;
  return high === 0xd83d || high === 0xd83e || (high >= 0xd840 && high <= 0xd888);
}

/**
 * A letter that looks like a Latin one beside a Latin one is a disguise; a word of nothing else is looked up, once, at
 * its first letter, and a row of such words is not left to our list of words.
 */
function letter(units: Uint16Array, at: number, end: number, before: number, after: number): number {
  if ((ASCII_LIKENESS[units[at] as number] as number) === 0) {
    row = 0;
    return at > 0 && isMark(units[at] as number) && before < 0x80 ? MARK.strange : 0;
  }
  if (isAsciiLetter(before) || isAsciiLetter(after)) return MARK.strange;
  if (SORT[before] === LETTER) return 0;
  let to = at + 1;
  while (to < end && SORT[units[to] as number] === LETTER) {
    if ((ASCII_LIKENESS[units[to] as number] as number) === 0) return 0;
    to++;
  }
  if (to - at < LEAST_WORD) {
    // A letter or two between Latin words can be one of theirs.
    return isLatinNear(units, at - 2, to + 1, end) ? MARK.strange : 0;
  }
  if (at - wordEnd > LEAST_WORD + 1) row = 0;
  wordEnd = to;
  if (to - at >= LEAST_LONG) row++;
  return row >= LEAST_ROW || isWordIn(units, at, to, LIKE_LETTERS) || isLatinNear(units, at - 2, to + 1, end)
    ? MARK.strange
    : 0;
}

function isLatinNear(units: Uint16Array, before: number, after: number, end: number): boolean {
  return (
    (before >= 0 && isAsciiLetter(units[before] as number)) || (after < end && isAsciiLetter(units[after] as number))
  );
}

/** The likeness as letters of the trie. */
const LIKE_LETTERS = ASCII_LIKENESS.slice(0, 65_536).map((unit) => (isAsciiLetter(unit) ? (unit | 0x20) - 96 : 0));

function isMark(unit: number): boolean {
  return MARKS[unit] === 1;
}

const MARKS = marks();

function marks(): Uint8Array {
  const table = new Uint8Array(65_536);
  eachMember(table.length, [/\p{M}+/gu, (code) => (table[code] = 1)]);
  return table;
}

function changed(): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let unit = 0; unit < table.length; unit++)
    if (SORT[unit] === PLAIN && unit !== 0x2122 && unit !== 0x2026 && becomesAscii(unit)) table[unit] = 1;
  return table;
}

function becomesAscii(unit: number): boolean {
  return (ASCII_LIKENESS[unit] as number) !== 0 || /[\0-\x7f]/.test(String.fromCharCode(unit).normalize('NFKC'));
}

function sorts(): Uint8Array {
  const table = new Uint8Array(65_536);
  const range = (first: number, last: number, sort: number): void => {
    table.fill(sort, first, last + 1);
  };
  for (const [first, last] of [
    [0x0370, 0x0482],
    [0x048a, 0x052f],
    [0x0531, 0x06dc],
    [0x06de, 0x06ef],
    [0x06fa, 0x074f],
    [0x0900, 0x0e7f],
    [0x10d0, 0x10ff],
    [0x3041, 0x30ff],
    [0x3105, 0x312f],
    [0x3400, 0x9fff],
    [0xac00, 0xd7a3],
  ] as const)
    range(first, last, LETTER);
  for (const [first, last] of [
    [0x00a1, 0x00bf],
    [0x2022, 0x2027],
    [0x2030, 0x2043],
    [0x20a0, 0x20bf],
    [0x2122, 0x2122],
    [0x2190, 0x23ff],
    [0x2500, 0x27ff],
    [0x2900, 0x2bff],
    [0x3001, 0x3020],
    [0xff01, 0xff01],
    [0xff08, 0xff09],
    [0xff0c, 0xff0c],
    [0xff1a, 0xff1b],
    [0xff1f, 0xff1f],
    [0xff5e, 0xff5e],
  ] as const)
    range(first, last, PLAIN);
  for (let unit = 0xc0; unit <= 0x24f; unit++)
    if (isAsciiLetter(ASCII_LIKENESS[unit] as number)) table[unit] = ACCENTED;
  for (let unit = 0x1e00; unit <= 0x1eff; unit++)
    if (isAsciiLetter(ASCII_LIKENESS[unit] as number)) table[unit] = ACCENTED;
  for (const unit of [0xd7, 0xf7]) table[unit] = PLAIN;
  for (const unit of [0xa0, 0x202f, 0x205f, 0x3000]) table[unit] = SPACE;
  range(0x2000, 0x200a, SPACE);
  range(0x2028, 0x2029, SPACE);
  range(0x2010, 0x2015, DASH);
  table[0x2212] = DASH;
  range(0x2018, 0x201f, QUOTE);
  table[0xab] = QUOTE;
  table[0xbb] = QUOTE;
  for (const unit of [0xad, 0x61c, 0x70f]) table[unit] = STRANGE;
  range(0x600, 0x605, STRANGE);
  range(0xfe00, 0xfe0f, SELECTOR);
  range(0x200c, 0x200d, JOINER);
  range(0xd800, 0xdbff, HIGH);
  range(0xdc00, 0xdfff, LOW);
  return table;
}
