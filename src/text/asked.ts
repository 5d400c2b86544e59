import { hasLines } from './decoders/acrostic.ts';
import type { Decoder } from './decoders/decoder.ts';
import { DECODERS } from './decoders/index.ts';
import { MARK } from './marks.ts';
import { seenIn } from './seen.ts';
import type { Seen } from './seen.ts';

/** Which decoders a text asks for: most ask for none, and have one reading. */

const HINTED = DECODERS.filter(({ hint }) => hint !== undefined);
const RANK = new Map(DECODERS.map((decoder, rank) => [decoder, rank]));

/** Which decoders' shapes occur in a text: the engine answers from its set. */
export type Shapes = (text: string) => readonly Decoder[];

/** The decoders that a hint asks for; when there are none, and no shape either, it has one reading. */
export function hintedBy(text: string): readonly Decoder[] {
  const seen = seenIn(text);
  return HINTED.filter((decoder) => decoder.hint?.(seen, text));
}

export interface Hints {
  readonly hinted: readonly Decoder[];
  /** Whether it or any part of it has some. */
  readonly any: boolean;
  /** They are also those of a part that is nearly all of it. */
  readonly ofMost: boolean;
}

export const NO_HINTS: Hints = { hinted: [], any: false, ofMost: true };

/**
 * Of a text that is put together of parts. What goes on over the end of a line goes on from one part into the next, and is
 * another list of numbers or of first letters then; and wide gaps are counted among all of them. So where there are any, each
 * part is asked.
 */
export function hintsIn(text: string, parts: readonly string[]): Hints {
  const seen = seenIn(text);
  const ofMost = parts.length === 1 || !(goesOn(seen) || parts.some(hasLines));
  const hinted = HINTED.filter((decoder) =>
    decoder.heaps ? isOfAny(decoder, seen, parts) : decoder.hint?.(seen, text),
  );
  const any = hinted.length > 0 || (!ofMost && parts.some((part) => hintedBy(part).length > 0));
  return { hinted, any, ofMost };
}

function goesOn({ marks, numeric, sparse }: Seen): boolean {
  return (marks & MARK.blanks) !== 0 || numeric.length > 0 || sparse.length > 0;
}

/** What stands before them and behind them takes nothing from rows: each of the parts, which a line end keeps apart, is asked. */
function isOfAny(decoder: Decoder, seen: Seen, parts: readonly string[]): boolean {
  if (!seen.rows) return false;
  let start = 0;
  return parts.some(({ length }) => {
    const units = seen.units.subarray(start, start + length);
    start += length + 1;
    return decoder.hint?.({ ...seen, units, length }, '') === true;
  });
}

/** In their order: what was hinted already, and those whose shape occurs. */
export function neededBy(text: string, hinted: readonly Decoder[], shapes: Shapes): readonly Decoder[] {
  const shaped = shapes(text);
  if (shaped.length === 0) return hinted;
  return [...hinted, ...shaped].sort((a, b) => (RANK.get(a) as number) - (RANK.get(b) as number));
}
