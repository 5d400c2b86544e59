import { widened } from '../around.ts';
import { isWord } from '../words.ts';
import type { Decoded } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Words put back that were damaged each by itself: those for which there is a plain one, around each that is a telling one. Nothing
 * where none is, since every other text has a slip of the finger in it, and the names of tags are words without vowels.
 */
export function mendedWords(
  text: string,
  expression: RegExp,
  /** Of a match what counts; most often all of it. */
  lettersOf: (match: string) => string,
  plainOf: (letters: string) => string | undefined,
  isTelling: (plain: string, letters: string) => boolean,
): readonly Decoded[] {
  const telling: [start: number, end: number][] = [];
  const pieces = stitch(text, expression, ({ 0: match, index }) => {
    const letters = lettersOf(match.toLowerCase());
    if (letters === '' || isWord(letters)) return null;
    const plain = plainOf(letters);
    if (plain === undefined) return null;
    if (isTelling(plain, letters)) telling.push([index, index + match.length]);
    return plain;
  });
  if (telling.length === 0) return [];
  const near = widened(text, telling);
  let next = 0;
  return pieces.filter(({ start, end }) => {
    while (next < near.length && near[next]![1] < start) next += 1;
    return next < near.length && near[next]![0] <= end;
  });
}
