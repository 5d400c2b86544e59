/**
 * Of a long text that was folded, the lines that read otherwise than they did, with what stands around them. The rest was read
 * as it stands; a page of Russian has four folded forms, and three of them differ from the first in a line or two.
 */
export interface Excerpt {
  readonly text: string;
  /** Where it goes on after a cut, and the characters of the whole that stand before that. Of none, it is the whole. */
  readonly cuts: readonly Cut[];
}

export type Cut = readonly [inExcerpt: number, inWhole: number];

/** Shorter texts are read in full: they cost little, and whoever hides something in one has all of it looked at. */
const SHORTEST = 4000;
/** More than any signature spans, as around a decoded piece. */
const AROUND = 400;

/** `known` has been read already, and is as the text was before or in another form. */
export function changedLines(text: string, known: readonly string[]): Excerpt {
  const whole = { text, cuts: [] };
  if (text.length < SHORTEST) return whole;
  const kept: [start: number, end: number][] = [];
  const at = known.map(() => 0);
  for (let start = 0; start <= text.length;) {
    const end = endOfLine(text, start);
    let isKnown = false;
    for (const [i, other] of known.entries()) {
      const from = at[i]!;
      // Lines that were joined or parted stand in no order that could be followed.
      if (from > other.length) return whole;
      const to = endOfLine(other, from);
      isKnown ||= isSame(text, start, end, other, from, to);
      at[i] = to + 1;
    }
    const last = kept.at(-1);
    if (!isKnown) {
      if (last !== undefined && start - last[1] <= 2 * AROUND) last[1] = end;
      else kept.push([start, end]);
    }
    start = end + 1;
  }
  if (known.some((other, i) => at[i]! <= other.length)) return whole;
  return excerptOf(text, kept);
}

function excerptOf(text: string, kept: readonly (readonly [start: number, end: number])[]): Excerpt {
  const parts: string[] = [];
  const cuts: Cut[] = [];
  let length = 0;
  for (const [start, end] of kept) {
    const from = Math.max(0, start - AROUND);
    const part = text.slice(from, end + AROUND);
    if (parts.length > 0) length += 1;
    if (from > 0) cuts.push([length, from]);
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
