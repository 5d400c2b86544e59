import { CONFUSABLES } from './confusables.generated.ts';

/** Size of the tables by code point. Above it are only CJK, tags and variation selectors, which need no table. */
export const TABLE = 0x20000;

/** Punctuation that a phone or an editor inserts by itself, so that patterns need not spell out every variant. */
const PUNCTUATION: readonly (readonly [ascii: string, lookAlikes: string])[] = [
  ["'", '‘’‚‛′‵ʼʹ'],
  ['"', '“”„‟″‶«»〝〞'],
  ['-', '‐‑‒–—―−⁃'],
  ['/', '⁄∕'],
];

/** For each code point the ASCII character it looks like; 0 if there is none. */
export const ASCII_LOOK_ALIKES = ascii();

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
