/** The stroke that makes a word longer, and the small alef. */
const FIRST = 0x0640;
const LAST = 0x0670;

/**
 * What Arabic writes above and below its letters, or between them to make a word longer: most people leave it out, some write
 * it over one letter of a word, and a text that has it over each is read like any other.
 */
function isVowelSign(unit: number): boolean {
  return unit >= FIRST && unit <= LAST && ((unit >= 0x064b && unit <= 0x0652) || unit === FIRST || unit === LAST);
}

export const VOWEL_SIGNS: readonly number[] = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i).filter(
  isVowelSign,
);
