import { unescape } from '../../text/escapes.ts';

/** A text with its escapes undone, and the way back from its offsets to those of the original. */
export interface Unescaped {
  readonly text: string;
  /**
   * Where in the original the character at this offset begins; for the length of the text, where the last character
   * ends.
   */
  readonly origin: (at: number) => number;
}

/**
 * The two halves of a surrogate pair are one character. Any other escape is one by itself, whatever follows the
 * backslash.
 */
const ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{1,8}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^]/g;

/** Null when the text has no backslash. */
export function unescapedWithPlaces(text: string): Unescaped | null {
  if (!text.includes('\\')) return null;
  const parts: string[] = [];
  /**
   * Offsets that belong together: `here` in the new text, `there` in the original. From each to the next, both go side
   * by side.
   */
  const here: number[] = [0];
  const there: number[] = [0];
  let length = 0;
  let from = 0;
  const meet = (origin: number): void => {
    here.push(length);
    there.push(origin);
  };
  for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
    const letters = unescape(escape);
    parts.push(text.slice(from, index), letters);
    length += index - from;
    meet(index);
    length += letters.length;
    from = index + escape.length;
    meet(from);
  }
  parts.push(text.slice(from));
  return {
    text: parts.join(''),
    origin(at) {
      let low = 0;
      let high = here.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (here[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      return there[low]! + at - here[low]!;
    },
  };
}
