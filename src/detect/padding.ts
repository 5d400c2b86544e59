import type { Run } from '../text/decoders/runs.ts';
import { PAD, runsIn } from '../text/runs-of-units.ts';
import { unitsOf } from '../text/units.ts';
import type { Ranges, Sightings } from './glance.ts';
import type { Sight } from './waiting.ts';

/**
 * Words may be driven apart by thousands of blanks or dashes: to a model they still stand side by side, but they would fall into
 * different slices here and out of each other's reach. So what the first look measures, it measures without them, and what it
 * saw is confirmed once more with them closed. A run is short of that where four of them, between five words, still fit
 * into what the first look allows for blanks.
 */
export interface Padding {
  readonly runs: readonly Run[];
  /** Where a place of the text would be without it, and the other way round. */
  readonly closed: (at: number) => number;
  readonly opened: (at: number) => number;
}

const RUN = 16;
/** Shorter runs are closed as well: what is closed for one of them is closed for all. */
const LEAST = 8;

/** `units` are those of the text. Null where none of its runs is so long. */
export function paddingIn(units: Uint16Array, length: number): Padding | null {
  if (runsIn(units, 0, length, PAD, RUN).length === 0) return null;
  const runs = runsIn(units, 0, length, PAD, LEAST);
  /** Where each run ends, there and with all up to it closed to a blank. */
  const ends = new Int32Array(runs.length);
  const closedEnds = new Int32Array(runs.length);
  let removed = 0;
  for (const [i, { start, end }] of runs.entries()) {
    removed += end - start - 1;
    ends[i] = end;
    closedEnds[i] = end - removed;
  }
  const moved = (at: number, from: Int32Array, to: Int32Array): number => {
    const last = lastUpTo(from, at);
    return last < 0 ? at : at - from[last]! + to[last]!;
  };
  return {
    runs,
    closed: (at) => moved(at, ends, closedEnds),
    opened: (at) => moved(at, closedEnds, ends),
  };
}

/** The last of some numbers, in their order, that is not beyond `most`; -1 when all are. */
function lastUpTo(numbers: Int32Array, most: number): number {
  let low = -1;
  let high = numbers.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle;
  }
  return low;
}

export interface Unpadded {
  /** The text with its padding closed, and what was seen in that. */
  readonly text: string;
  readonly sightings: Sightings;
  /** What was seen in the text as it stands, without what lies in the middle of long padding. */
  readonly asItStands: Sightings;
}

/**
 * Null where there is none. A sender may put megabytes between two words that a hundred rules wait for: as it stands, the text is
 * asked about no farther than a little into them, since across them it is asked about with them closed.
 */
export function withoutPadding(text: string, sightings: Sightings): Unpadded | null {
  const padding = paddingIn(unitsOf(text), text.length);
  if (padding === null) return null;
  const closed = new Map<Sight, Ranges>();
  const asItStands = new Map<Sight, Ranges>();
  const long = padding.runs.filter(({ start, end }) => end - start > 2 * AROUND);
  for (const [sight, ranges] of sightings) {
    closed.set(
      sight,
      ranges.map(([from, to]) => [padding.closed(from), padding.closed(to)]),
    );
    asItStands.set(sight, long.length === 0 ? ranges : cutAt(long, ranges));
  }
  return { text: closedAt(padding.runs, text), sightings: closed, asItStands };
}

/** Kept at either end of long padding: more than any pattern has of punctuation in a row. */
const AROUND = 96;

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

/** By hand, since a regular expression keeps a way back for every blank of a run, and megabytes of them overflow its stack. */
function closedAt(runs: readonly Run[], text: string): string {
  let closed = '';
  let kept = 0;
  for (const { start, end } of runs) {
    closed += `${text.slice(kept, start)} `;
    kept = end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
