import { hasLines } from './decoders/acrostic.ts';
import type { Decoder } from './decoders/decoder.ts';
import { DECODERS } from './decoders/index.ts';
import { MARK } from './marks.ts';
import { seenIn } from './seen.ts';
import type { Seen } from './seen.ts';

/** Decides which decoders to run on a text. Most texts need none and have only one reading. */

/** Objects of one form. Decoders have many, and V8 would look for their properties one by one. */
const HINTED = DECODERS.flatMap((decoder) =>
  decoder.hint === undefined ? [] : [{ decoder, hint: decoder.hint, heaps: decoder.heaps === true }],
);
const RANK = new Map(DECODERS.map((decoder, rank) => [decoder, rank]));

/** The decoders whose shape matches a text, found by one search with an RE2 set. */
export type Shapes = (text: string) => readonly Decoder[];

/** The decoders whose hint says yes. If there are none, and no shape matches either, the text has only one reading. */
export function hintedBy(text: string): readonly Decoder[] {
  const seen = seenIn(text);
  return HINTED.filter(({ hint }) => hint(seen, text)).map(({ decoder }) => decoder);
}

export interface Hints {
  readonly hinted: readonly Decoder[];
  /** Whether the text, or any of its parts, has hints. */
  readonly any: boolean;
  /** Whether `hinted` also holds for the part that makes up nearly all of the text. */
  readonly ofMost: boolean;
}

export const NO_HINTS: Hints = { hinted: [], any: false, ofMost: true };

/**
 * The hints for a text that is joined from parts. Some decoders read over line ends, and so from one part into the
 * next: joined, the parts form other lists of numbers or of first letters than each part alone, and wide gaps are
 * counted over all parts. Where any of these occur, each part is asked by itself.
 */
export function hintsIn(text: string, parts: readonly string[]): Hints {
  const seen = seenIn(text);
  const ofMost = parts.length === 1 || !(goesOn(seen) || parts.some(hasLines));
  const hinted = HINTED.filter(({ hint, heaps }) => (heaps ? isOfAny(hint, seen, parts) : hint(seen, text))).map(
    ({ decoder }) => decoder,
  );
  const any = hinted.length > 0 || (!ofMost && parts.some((part) => hintedBy(part).length > 0));
  return { hinted, any, ofMost };
}

function goesOn({ marks, numeric, sparse }: Seen): boolean {
  return (marks & MARK.blanks) !== 0 || numeric.length > 0 || sparse.length > 0;
}

/**
 * A heap decoder looks for rows. Text before or after the rows does not change them, so each part, which a line end
 * separates from the next, is asked by itself.
 */
function isOfAny(hint: NonNullable<Decoder['hint']>, seen: Seen, parts: readonly string[]): boolean {
  if (!seen.rows) return false;
  let start = 0;
  return parts.some(({ length }) => {
    const units = seen.units.subarray(start, start + length);
    start += length + 1;
    return hint({ ...seen, units, length }, '');
  });
}

/** The hinted decoders and those whose shape matches, in order of precedence. */
export function neededBy(text: string, hinted: readonly Decoder[], shapes: Shapes): readonly Decoder[] {
  const shaped = shapes(text);
  if (shaped.length === 0) return hinted;
  return [...hinted, ...shaped].sort((a, b) => (RANK.get(a) as number) - (RANK.get(b) as number));
}
