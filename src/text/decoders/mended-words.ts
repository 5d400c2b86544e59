import { widened } from '../around.ts';
import { isWord } from '../words.ts';
import type { Decoded } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Restores damaged words near trigger words: calls `plainOf` for each match and keeps the results around the telling
 * ones. If no match is telling, nothing is restored: most texts contain typos, and the names of tags are often words
 * without vowels.
 */
export function mendedWords(
  text: string,
  expression: RegExp,
  /** The letters of a match that count; usually all of it. */
  lettersOf: (match: string) => string,
  plainOf: (letters: string) => string | undefined,
  isTelling: (plain: string, letters: string) => boolean,
  /** Whether a telling word counts only if another word was restored near it. */
  needsAnother: (letters: string) => boolean = () => false,
): readonly Decoded[] {
  const telling: Span[] = [];
  let waiting: Span | null = null;
  let last = -Infinity;
  const pieces = stitch(text, expression, ({ 0: match, index: start }) => {
    const letters = lettersOf(match.toLowerCase());
    if (letters === '' || isWord(letters)) return null;
    const plain = plainOf(letters);
    if (plain === undefined) return null;
    if (waiting !== null && start - waiting[1] <= NEAR) telling.push(waiting);
    waiting = null;
    const span: Span = [start, start + match.length];
    if (isTelling(plain, letters)) {
      if (!needsAnother(letters) || start - last <= NEAR) telling.push(span);
      else waiting = span;
    }
    last = span[1];
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

type Span = readonly [start: number, end: number];

/** Longest distance between two restored words: about a sentence. */
const NEAR = 80;
