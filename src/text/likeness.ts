import { CONFUSABLES } from './confusables.generated.ts';

/** Above it only CJK, tags and variation selectors: no table is needed for those. */
export const TABLE = 0x20000;

/** Punctuation that a phone or an editor puts in by itself, and that no pattern should have to spell out. */
const PUNCTUATION: readonly (readonly [ascii: string, lookAlikes: string])[] = [
  ["'", '‘’‚‛′‵ʼʹ'],
  ['"', '“”„‟″‶«»〝〞'],
  ['-', '‐‑‒–—―−⁃'],
  ['/', '⁄∕'],
];

/** The ASCII character that another looks like, 0 where there is none. */
export const ASCII_LIKENESS = ascii();

function ascii(): Uint8Array {
  const table = new Uint8Array(TABLE);
  for (const [target, lookAlikes] of PUNCTUATION) {
    for (const char of lookAlikes) table[char.codePointAt(0) as number] = target.charCodeAt(0);
  }
  for (const [target, lookAlikes] of CONFUSABLES) {
    for (const char of lookAlikes) table[char.codePointAt(0) as number] = target.charCodeAt(0);
  }
  return table;
}
