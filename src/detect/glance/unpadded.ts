import type { Run } from '../../text/decoders/runs.ts';
import { END, isMark, OF_A_RUN, START } from './padding.ts';
import type { Padding, Runs } from './padding.ts';
import type { Ranges, Sightings } from './sightings.ts';
import type { Sight } from './waiting.ts';

export interface Unpadded {
  /** The text with its padding collapsed, and what was seen in that. */
  readonly text: string;
  readonly sightings: Sightings;
  /** What was seen in the text as it stands, without the middle of long padding. */
  readonly asItStands: Sightings;
  /** Whether the padding is long enough to hide something. */
  readonly isLong: boolean;
}

/**
 * Null where no padding is in what was seen. A sender may put megabytes between two words that a hundred rules wait
 * for. So in the text as it stands, ranges reach only a little into long padding; across it, the collapsed text is
 * asked about.
 */
export function withoutPadding(text: string, padding: Padding, sightings: Sightings): Unpadded | null {
  const closed = new Map<Sight, Ranges>();
  const asItStands = new Map<Sight, Ranges>();
  const long = longIn(padding.runs);
  for (const [sight, ranges] of sightings) {
    const moved: (readonly [number, number])[] = [];
    for (const [from, to] of ranges) {
      const start = padding.closed(from);
      const end = padding.closed(to);
      // Without padding in it, a range reads the same in both texts.
      if (end - start === to - from) continue;
      // What a secret looks like is told by its marks, and short runs of them are a part of it.
      if (sight.rule.isProven && !padding.isLong) continue;
      moved.push([start, end]);
    }
    if (moved.length > 0) closed.set(sight, moved);
    asItStands.set(sight, long.length === 0 ? ranges : cutAt(long, ranges));
  }
  if (closed.size === 0) return null;
  return { text: closedAt(padding.runs, text), sightings: closed, asItStands, isLong: padding.isLong };
}

/** Characters kept at either end of long padding: more punctuation in a row than any pattern has. */
const AROUND = 96;

function longIn(runs: Runs): Run[] {
  const long: Run[] = [];
  for (let i = 0; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    if (end - start > 2 * AROUND) long.push({ start, end });
  }
  return long;
}

function cutAt(long: readonly Run[], ranges: Ranges): Ranges {
  const kept: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    let at = from;
    while (next < long.length && long[next]!.end <= from) next += 1;
    for (let i = next; i < long.length && long[i]!.start < to; i += 1) {
      const { start, end } = long[i]!;
      if (start + AROUND > at) kept.push([at, Math.min(to, start + AROUND)]);
      at = Math.max(at, end - AROUND);
    }
    if (at < to) kept.push([at, to]);
  }
  return kept;
}

/**
 * A loop, since a regular expression keeps a way back for every blank of a run, and megabytes of blanks overflow its
 * stack.
 */
function closedAt(runs: Runs, text: string): string {
  let closed = '';
  let kept = 0;
  for (let i = 0; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    const isMarkAt = (at: number, next: number): boolean => isMark(text.charCodeAt(at), text.charCodeAt(next));
    const before = isMarkAt(start, start + 1) ? start + 1 : start;
    closed += `${text.slice(kept, before)} `;
    kept = isMarkAt(end - 1, end - 2) ? end - 1 : end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
