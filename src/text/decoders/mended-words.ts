import { widened } from '../around.ts';
import { isWord } from '../words.ts';
import type { Decoded } from './decoder.ts';
import { stitch } from './stitch.ts';

/** How damaged words are found, and which words they were. */
export interface Mending {
  readonly words: RegExp;
  /** The letters of a match that count; all of it unless given. */
  readonly lettersOf?: (match: string) => string;
  readonly plainOf: (letters: string) => string | undefined;
  readonly isTelling: (plain: string, letters: string) => boolean;
  /** Whether a telling word counts only if another word was restored near it. */
  readonly needsAnother?: (letters: string) => boolean;
}

/**
 * Restores damaged words near trigger words: calls `plainOf` for each match and keeps the results around the telling
 * ones. If no match is telling, nothing is restored: most texts contain typos, and the names of tags are often words
 * without vowels.
 */
export function mendedWords(
  text: string,
  { words, lettersOf, plainOf, isTelling, needsAnother }: Mending,
): readonly Decoded[] {
  const telling: Span[] = [];
  let waiting: Span | null = null;
  let last = -Infinity;
  const pieces = stitch(text, words, ({ 0: match, index: start }) => {
    const small = match.toLowerCase();
    const letters = lettersOf === undefined ? small : lettersOf(small);
    if (letters === '' || isWord(letters)) return null;
    const plain = plainOf(letters);
    if (plain === undefined) return null;
    if (waiting !== null && start - waiting[1] <= NEAR) telling.push(waiting);
    waiting = null;
    const span: Span = [start, start + match.length];
    if (isTelling(plain, letters)) {
      if (needsAnother?.(letters) !== true || start - last <= NEAR) telling.push(span);
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
