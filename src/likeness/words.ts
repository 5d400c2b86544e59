/**
 * How the statistical scanner reads bytes: where a word ends, what of it counts, and the numbers that stand for words
 * and sequences of words. The trainer uses this file. The scorer, kernel/likeness.ts, does the same in code of its own,
 * and a test compares both.
 */

/** What a byte is to a word. */
export const BETWEEN_WORDS = 0;
const LETTER = 1;
/** Continues a character and never begins one: alone, behind punctuation beyond ASCII, it is nothing. */
export const CONTINUATION = 2;
/** Begins a character of a script without spaces between words: each character is a word. */
export const CHARACTER_WORD = 3;

export const BYTE_KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return /[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? LETTER : BETWEEN_WORDS;
  if (byte < 0xc0) return CONTINUATION;
  // First bytes of two-byte characters, except 0xc2 for no-break spaces and inverted marks; and of three-byte ones for
  // Indic, Thai and Georgian.
  if ((byte >= 0xc3 && byte <= 0xdf) || byte === 0xe0 || byte === 0xe1) return LETTER;
  // Three-byte ones of kana and ideographs, and from 0xea on of Hangul, which has spaces.
  if (byte >= 0xe3 && byte <= 0xe9) return CHARACTER_WORD;
  return byte >= 0xea && byte <= 0xed ? LETTER : BETWEEN_WORDS;
});

/** A syllable of Hangul is two or three letters: two of them are the stem of most words, and particles follow. */
const LETTERS_OF = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0xea && byte <= 0xed ? 3 : 1));

/** Lower case, and one digit for all digits, since no attack depends on a number. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte >= 0x30 && byte <= 0x39 ? 0x30 : byte;
});

/**
 * What a byte is to a word, in one number, which is added to the word's hash: its folded form in the low byte, above it
 * how many letters it begins, and the sign bit if it may continue a word. 0 for what stands between words.
 */
const ONE_LETTER = 0x100;
const CONTINUES_WORD = 0x8000_0000;
export const BYTE_CODE = Int32Array.from({ length: 256 }, (_, byte) => {
  const kind = BYTE_KIND[byte]!;
  if (kind === BETWEEN_WORDS) return 0;
  return (
    FOLDED[byte]! |
    (kind === CONTINUATION ? 0 : ONE_LETTER * LETTERS_OF[byte]!) |
    (kind === CHARACTER_WORD ? 0 : CONTINUES_WORD)
  );
});

/** How many letters a byte begins, by its code: none if it continues a character. */
export function lettersOf(code: number): number {
  return (code >>> 8) & 3;
}

/** Letters of a word that say what it means; the rest is inflection. */
export const STEM_LETTERS = 6;

/**
 * Steps in a window. The next window begins one step further on. How many words a step has is up to each model: an
 * order planted in a page is shorter than a jailbreak.
 */
export const STEPS_PER_WINDOW = 4;

/**
 * What was said within this many words before says nothing new and does not count again: "company, symbol, company,
 * symbol" in a table added up to an attack. Of honest files and pages that looked like one, most only said something
 * over and over.
 */
export const REPEAT_DISTANCE = 64;

/** Concepts that are more than this many words apart are not a sequence. */
export const MAX_CONCEPT_DISTANCE = 6;

/** Adds a character to the hash of a word. */
export function addToHash(hash: number, code: number): number {
  return (Math.imul(hash, 0x9e3779b5) + code) | 0;
}

/** The key of a word behind the one before. */
export function pairKey(previous: number, stem: number): number {
  return (Math.imul(previous, 0x2c1b3c6d) + stem + 5) | 0;
}

/** The key of a word behind the two before. */
export function tripleKey(first: number, previous: number, stem: number): number {
  return (Math.imul((Math.imul(first, 0x297a2d39) + previous) | 0, 0x2c1b3c6d) + stem + 7) | 0;
}

/** The key of one, two or three concepts in a row; the earlier ones are 0 when there are none. */
export function conceptKey(first: number, previous: number, concept: number): number {
  return (Math.imul(first * 4096 + previous * 64 + concept, 0x51ed2701) + 0x2545) | 0;
}

/**
 * The 24 bits of a key by which its weight is found: 16 choose the slot, and 8 tell whether its weight is this key's at
 * all.
 */
export function weightPlaceOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 8;
}

/** Short texts are not judged by one loud word: they count as if they had this many silent words more. */
export const SILENT_WORDS = 8;

/**
 * Fewer words are not judged. One or two are a name, a key or a label, whatever else they may mean: "gpt", "correct
 * password".
 */
export const MIN_WORDS = 3;
