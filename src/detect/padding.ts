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

/** A text that was padded and what was seen in it, with its padding closed. Null where there is none. */
export function withoutPadding(
  text: string,
  sightings: Sightings,
): { readonly text: string; readonly sightings: Sightings } | null {
  const padding = paddingIn(unitsOf(text), text.length);
  if (padding === null) return null;
  const moved = new Map<Sight, Ranges>();
  for (const [sight, ranges] of sightings)
    moved.set(
      sight,
      ranges.map(([from, to]) => [padding.closed(from), padding.closed(to)]),
    );
  return { text: closePadding(text), sightings: moved };
}

/** By hand, since a regular expression keeps a way back for every blank of a run, and megabytes of them overflow its stack. */
export function closePadding(text: string): string {
  let closed = '';
  let kept = 0;
  for (const { start, end } of runsIn(unitsOf(text), 0, text.length, PAD, LEAST)) {
    closed += `${text.slice(kept, start)} `;
    kept = end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
