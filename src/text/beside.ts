import { SIGNS } from './fours.ts';
import { KIND, LEETED } from './runs-of-units.ts';
import { LETTER as LETTER_OF_ITS_OWN, SORT } from './sorts.ts';
import { SCRATCH, isAsciiLetter, isBlank, isQuote } from './units.ts';

/**
 * What must come right before or after a symbol for it to mean anything; a comma after a letter, for example, is just a
 * comma. This is checked for all symbols before any is looked at individually, because nine in ten mean nothing.
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

/**
 * IS: the kinds that each code unit has. BEFORE and AFTER: the kinds of the previous or next unit that give a unit a
 * meaning.
 */
const IS = new Uint16Array(65_536).fill(ALWAYS | NO_NEWLINE | NO_LETTER_OF_ITS_OWN);
for (let unit = 0; unit < 256; unit++) IS[unit] = kindsOf(unit);
const BEFORE = new Uint16Array(65_536).fill(ALWAYS);
const AFTER = new Uint16Array(65_536);
// Within a word of another script, only the first and the last letter are looked at.
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
  // In a number, only the first or last digit can have a letter next to it.
  ['0123456789', LETTER | OPENING, LETTER | OPENING],
  ['!$@', LEETLIKE, LEETLIKE],
  ['|', LEETLIKE, LEETLIKE | BAR],
] as const)
  for (const sign of signs) {
    BEFORE[sign.charCodeAt(0)] = before;
    AFTER[sign.charCodeAt(0)] = after;
  }

/**
 * Local aliases for the loop below, as in the loop over the fours: imported bindings would be fetched anew at each
 * turn.
 */
const TEXT = SCRATCH;
const PLACES = SIGNS;

/** At the cut of a longer text, the neighbor is unknown and may be anything. */
const ANY = 0xffff;

/**
 * Filters the first `count` symbols in SCRATCH down to those that may mean something, in place, and returns how many
 * are left. `size` is how much of SCRATCH is text; `isFirst` and `isLast` say whether it holds the beginning and the
 * end of the text.
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
