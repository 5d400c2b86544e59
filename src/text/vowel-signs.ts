/** Tatweel, the stroke that stretches a word, and the superscript alef. */
const FIRST = 0x0640;
const LAST = 0x0670;

/**
 * Arabic vowel signs, written above and below letters, and the stroke that stretches a word. Most writers leave them
 * out, some put one over a single letter, and a text with one over every letter reads the same.
 */
function isVowelSign(unit: number): boolean {
  return unit >= FIRST && unit <= LAST && ((unit >= 0x064b && unit <= 0x0652) || unit === FIRST || unit === LAST);
}

export const VOWEL_SIGNS: readonly number[] = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i).filter(
  isVowelSign,
);
