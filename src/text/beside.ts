import { SIGNS } from './fours.ts';
import { KIND, LEETED } from './runs-of-units.ts';
import { LETTER as LETTER_OF_ITS_OWN, SORT } from './sorts.ts';
import { SCRATCH, isAsciiLetter, isBlank, isQuote } from './units.ts';

/**
 * What must stand beside a sign for it to mean anything, before it or behind it: a comma after a letter is a comma. Asked
 * of all signs before any is looked at by itself, for nine in ten mean nothing.
 */
const ALWAYS = 1 << 0;
const LETTER = 1 << 1;
const BLANK = 1 << 2;
const SPACE = 1 << 3;
const QUOTE = 1 << 4;
const LEETLIKE = 1 << 5;
const OPENING = 1 << 6;
const VALUE_END = 1 << 7;
const TEMPLATE_END = 1 << 8;
const COLON = 1 << 9;
const BAR = 1 << 10;
const NO_NEWLINE = 1 << 11;
const JOINING = 1 << 12;
const NO_LETTER_OF_ITS_OWN = 1 << 13;

const IS = new Uint16Array(65_536).fill(ALWAYS | NO_NEWLINE | NO_LETTER_OF_ITS_OWN);
for (let unit = 0; unit < 256; unit++) IS[unit] = kindsOf(unit);
const BEFORE = new Uint16Array(65_536).fill(ALWAYS);
const AFTER = new Uint16Array(65_536);
// Within a word of another script, its first letter and its last say what there is to say.
for (let unit = 256; unit < IS.length; unit++) {
  if (SORT[unit] !== LETTER_OF_ITS_OWN) continue;
  IS[unit] = ALWAYS | NO_NEWLINE;
  BEFORE[unit] = AFTER[unit] = NO_LETTER_OF_ITS_OWN;
}

for (const [signs, before, after] of [
  ['.,', BLANK | QUOTE, 0],
  ['-', LETTER, 0],
  ['*~', LETTER, 0],
  ['"\'', BLANK | VALUE_END | JOINING, 0],
  ['`', BLANK | VALUE_END | LETTER | JOINING, 0],
  ['{', BLANK | TEMPLATE_END, 0],
  [']', 0, COLON],
  ['\r', 0, NO_NEWLINE],
  ['\t', SPACE, 0],
  // Of a number, its first digit or its last says whether letters go with it.
  ['0123456789', LETTER | OPENING, LETTER | OPENING],
  ['!$@', LEETLIKE, LEETLIKE],
  ['|', LEETLIKE, LEETLIKE | BAR],
] as const)
  for (const sign of signs) {
    BEFORE[sign.charCodeAt(0)] = before;
    AFTER[sign.charCodeAt(0)] = after;
  }

/** By names of this module's own, as in the loop over the fours. */
const TEXT = SCRATCH;
const PLACES = SIGNS;

/** Where a longer text was cut, what stood there is not known. */
const ANY = 0xffff;

/**
 * Keeps, in place, those of the first `count` signs of SCRATCH that may mean something; how many they are. `size` is how much
 * of it is text, and `isFirst` and `isLast` say whether that is how the text begins and ends.
 */
export function withMeaning(count: number, size: number, isFirst: boolean, isLast: boolean): number {
  let kept = 0;
  const atStart = isFirst ? ALWAYS | NO_LETTER_OF_ITS_OWN : ANY;
  const atEnd = isLast ? ALWAYS | NO_NEWLINE | NO_LETTER_OF_ITS_OWN : ANY;
  for (let i = 0; i < count; i++) {
    const at = PLACES[i] as number;
    const unit = TEXT[at] as number;
    const before = at === 0 ? atStart : (IS[TEXT[at - 1] as number] as number);
    const after = at + 1 >= size ? atEnd : (IS[TEXT[at + 1] as number] as number);
    PLACES[kept] = at;
    kept += (((BEFORE[unit] as number) & before) | ((AFTER[unit] as number) & after)) === 0 ? 0 : 1;
  }
  return kept;
}

function kindsOf(unit: number): number {
  const char = String.fromCharCode(unit);
  const isOneOf = (chars: string): boolean => chars.includes(char);
  return (
    ALWAYS |
    NO_LETTER_OF_ITS_OWN |
    (isAsciiLetter(unit) ? LETTER : 0) |
    (isBlank(unit) ? BLANK : 0) |
    (unit === 0x20 ? SPACE : 0) |
    (isQuote(unit) ? QUOTE : 0) |
    (((KIND[unit] as number) & LEETED) !== 0 ? LEETLIKE : 0) |
    (isOneOf('(') ? OPENING : 0) |
    (isOneOf('=:se') ? VALUE_END : 0) |
    (isOneOf('}{$#') ? TEMPLATE_END : 0) |
    (isOneOf(':') ? COLON : 0) |
    (isOneOf('|') ? BAR : 0) |
    (isOneOf('<>^~.+') ? JOINING : 0) |
    (isOneOf('\n') ? 0 : NO_NEWLINE)
  );
}
