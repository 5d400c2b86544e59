import { isWord } from '../words.ts';
import type { Decoded } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Words put back that were damaged each by itself: those of a text for which there is a plain one. Nothing where none of them is a
 * telling one, since every other text has a slip of the finger in it.
 */
export function mendedWords(
  text: string,
  expression: RegExp,
  /** Of a match what counts; most often all of it. */
  lettersOf: (match: string) => string,
  plainOf: (letters: string) => string | undefined,
  isTelling: (plain: string, letters: string) => boolean,
): readonly Decoded[] {
  let telling = false;
  const pieces = stitch(text, expression, ({ 0: match }) => {
    const letters = lettersOf(match.toLowerCase());
    if (letters === '' || isWord(letters)) return null;
    const plain = plainOf(letters);
    if (plain === undefined) return null;
    telling ||= isTelling(plain, letters);
    return plain;
  });
  return telling ? pieces : [];
}
