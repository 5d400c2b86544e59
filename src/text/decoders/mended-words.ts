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
  /** Of a telling one, that it says nothing unless another was mended near it. */
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

/** A sentence apart and no further. */
const NEAR = 80;
