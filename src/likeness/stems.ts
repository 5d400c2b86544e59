import {
  addToHash,
  BETWEEN_WORDS,
  BYTE_CODE,
  BYTE_KIND,
  CHARACTER_WORD,
  CONTINUATION,
  lettersOf,
  STEM_LETTERS,
} from './words.ts';

/** A word of a text, by what of it says what it means. */
export interface Word {
  readonly stem: number;
  readonly isAscii: boolean;
  readonly start: number;
  readonly end: number;
}

export function wordsOf(bytes: Uint8Array): Word[] {
  const words: Word[] = [];
  let stem = 0;
  let letters = 0;
  let isAscii = true;
  let start = 0;
  const close = (end: number): void => {
    if (letters > 0) words.push({ stem, isAscii, start, end });
    stem = letters = 0;
    isAscii = true;
  };
  for (const [at, byte] of bytes.entries()) {
    const kind = BYTE_KIND[byte]!;
    if (kind === BETWEEN_WORDS || kind === CHARACTER_WORD) close(at);
    if (kind === BETWEEN_WORDS || (kind === CONTINUATION && letters === 0)) continue;
    const code = BYTE_CODE[byte]!;
    if (letters === 0) start = at;
    if (byte >= 0x80) isAscii = false;
    letters += lettersOf(code);
    if (letters <= STEM_LETTERS) stem = addToHash(stem, code);
  }
  close(bytes.length);
  return words;
}

/** The stem of a text of one word; 0 when there is none. */
export function stemOf(word: string): number {
  return wordsOf(Buffer.from(word))[0]?.stem ?? 0;
}
