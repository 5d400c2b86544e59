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

/** The stem of the first word. */
export function stemOf(bytes: Uint8Array): number {
  let hash = 0;
  let letters = 0;
  for (const byte of bytes) {
    const kind = BYTE_KIND[byte]!;
    if (kind === BETWEEN_WORDS || (kind === CHARACTER_WORD && letters > 0)) break;
    if (kind === CONTINUATION && letters === 0) continue;
    const code = BYTE_CODE[byte]!;
    letters += lettersOf(code);
    if (letters > STEM_LETTERS) break;
    hash = addToHash(hash, code);
  }
  return hash;
}
