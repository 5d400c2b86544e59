import { ASCII_LOOK_ALIKES } from './ascii-look-alikes.ts';
import { isAsciiLetter } from './units.ts';
import { VOWEL_SIGNS } from './vowel-signs.ts';

/** What kind of character each non-ASCII code unit is. Anything not known to be ordinary is STRANGE. */
const STRANGE = 0;
/** Punctuation and pictures, which occur between words at most. */
export const PLAIN = 1;
/** Letters and marks of a script in common use. */
export const LETTER = 2;
/** Latin letters with an accent and Latin ligatures; Arabic signs that may be left out. */
export const ACCENTED = 3;
export const SPACE = 4;
export const DASH = 5;
export const QUOTE = 6;
export const SELECTOR = 7;
export const JOINER = 8;
export const HIGH = 9;
export const LOW = 10;

export const SORT = sorts();

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
    if (isAsciiLetter(ASCII_LOOK_ALIKES[unit] as number)) table[unit] = ACCENTED;
  for (let unit = 0x1e00; unit <= 0x1eff; unit++)
    if (isAsciiLetter(ASCII_LOOK_ALIKES[unit] as number)) table[unit] = ACCENTED;
  for (const unit of VOWEL_SIGNS) table[unit] = ACCENTED;
  for (const char of 'ßæÆœŒþÞ') table[char.charCodeAt(0)] = ACCENTED;
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
