/**
 * How the statistical scanner reads bytes: where a word ends, what of it counts, and the numbers that stand for words and
 * their sequences. The trainer goes by this page; the scorer, kernel/likeness.ts, says the same in its own words, and a test holds
 * it to them.
 */

/** What a byte is to a word. */
export const APART = 0;
const LETTER = 1;
/** Goes on with a character, and begins none: alone, behind punctuation beyond ASCII, it is nothing. */
export const MORE = 2;
/** Begins a character of a script that puts no blanks between words: each is a word. */
export const SIGN = 3;

export const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? LETTER : APART;
  if (byte < 0xc0) return MORE;
  // Two bytes, but for the page of no-break spaces and inverted marks; three for Indic, Thai and Georgian.
  if ((byte >= 0xc3 && byte <= 0xdf) || byte === 0xe0 || byte === 0xe1) return LETTER;
  return byte >= 0xe3 && byte <= 0xed ? SIGN : APART;
});

/** Small letters; and one digit for all, since no attack depends on a number. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte >= 0x30 && byte <= 0x39 ? 0x30 : byte;
});

/**
 * What a byte is to a word, in one number, all of which is put onto the word's hash: below, its folded form; COUNTS, when it
 * begins a character; and the sign, when it may go on with a word. 0 for what stands between words.
 */
export const COUNTS = 0x100;
const GOES_ON = 0x8000_0000;
export const CODE = Int32Array.from({ length: 256 }, (_, byte) => {
  const kind = KIND[byte]!;
  if (kind === APART) return 0;
  return FOLDED[byte]! | (kind === MORE ? 0 : COUNTS) | (kind === SIGN ? 0 : GOES_ON);
});

/** Characters of a word that say what it means; the rest is its inflection. */
export const STEM = 6;

/**
 * Words that are judged together are so many steps, and the next such window lies one step further on. How many words a step
 * has is for each model to say: an errand planted in a page is shorter than a jailbreak.
 */
export const STEPS = 4;

/**
 * What was said within so many words before says nothing new and does not count again: "company, symbol, company, symbol" of a table
 * added up to an attack. Of honest files and pages that looked like one, most only said something over and over.
 */
export const SAID = 64;

/** Concepts further apart than this many words belong to different thoughts. */
export const REACH = 6;

export function letterOnto(hash: number, code: number): number {
  return (Math.imul(hash, 0x9e3779b5) + code) | 0;
}

export function pairKey(before: number, stem: number): number {
  return (Math.imul(before, 0x2c1b3c6d) + stem + 5) | 0;
}

export function tripleKey(first: number, before: number, stem: number): number {
  return (Math.imul((Math.imul(first, 0x297a2d39) + before) | 0, 0x2c1b3c6d) + stem + 7) | 0;
}

/** One, two or three concepts in a row; the earlier are 0 when there are none. */
export function conceptKey(first: number, before: number, concept: number): number {
  return (Math.imul(first * 4096 + before * 64 + concept, 0x51ed2701) + 0x2545) | 0;
}

/** A key as the 24 bits by which its weight is found: 16 choose the slot, 8 tell whether it is this key's at all. */
export function placeOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 8;
}

/** Short texts are not judged by one loud word: as if they had a few silent ones more. */
export const SILENT_WORDS = 8;

/** One or two words are a name, a key or a label, whatever else they may mean: "gpt", "correct password". */
export const LEAST_WORDS = 3;
