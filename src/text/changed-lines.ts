import { widened } from './around.ts';

/**
 * An excerpt of a long folded text: the lines that folding changed, with the text around them. The rest was already
 * read unfolded. A page of Russian, for example, has four folded forms, and three of them differ from the first in a
 * line or two.
 */
export interface Excerpt {
  readonly text: string;
  /**
   * For each place where the excerpt continues after a cut: its index in the excerpt and in the whole text. Empty if
   * nothing was cut.
   */
  readonly cuts: readonly Cut[];
}

export type Cut = readonly [inExcerpt: number, inWhole: number];

/**
 * Shorter texts are read in full: that costs little, and everything in a short text with something hidden in it is
 * scanned.
 */
const SHORTEST = 4000;

/**
 * Cuts `text` down to its changed lines. Each of `known` has been read already: the text before folding, or another
 * folded form. A stretch of lines is left out only if one of the known texts holds all of it: where two adjacent lines
 * are in different known texts, no reading has had them together, so an excerpt is taken around their border.
 */
export function changedLines(text: string, known: readonly string[]): Excerpt {
  const whole = { text, cuts: [] };
  if (text.length < SHORTEST) return whole;
  const changed: [start: number, end: number][] = [];
  const at = known.map(() => 0);
  let all = (1 << known.length) - 1;
  for (let start = 0; start <= text.length;) {
    const end = endOfLine(text, start);
    let holds = 0;
    for (const [i, other] of known.entries()) {
      const from = at[i]!;
      // If folding joined or split lines, the lines cannot be matched to each other.
      if (from > other.length) return whole;
      const to = endOfLine(other, from);
      if (isSame(text, start, end, other, from, to)) holds |= 1 << i;
      at[i] = to + 1;
    }
    if (holds === 0) changed.push([start, end]);
    else if ((all & holds) === 0) changed.push([start, start]);
    all = all & holds || holds || (1 << known.length) - 1;
    start = end + 1;
  }
  if (known.some((other, i) => at[i]! <= other.length)) return whole;
  return excerptOf(text, changed);
}

function excerptOf(text: string, changed: readonly (readonly [start: number, end: number])[]): Excerpt {
  const parts: string[] = [];
  const cuts: Cut[] = [];
  let length = 0;
  for (const [start, end] of widened(text, changed)) {
    if (parts.length > 0) length += 1;
    if (start > 0) cuts.push([length, start]);
    const part = text.slice(start, end);
    parts.push(part);
    length += part.length;
  }
  return { text: parts.join('\n'), cuts };
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

function isSame(text: string, start: number, end: number, other: string, from: number, to: number): boolean {
  if (end - start !== to - from) return false;
  for (let i = 0; i < end - start; i += 1) if (text.charCodeAt(start + i) !== other.charCodeAt(from + i)) return false;
  return true;
}
