import type { Run } from '../text/decoders/runs.ts';
import { PAD, runsIn } from '../text/runs-of-units.ts';
import { unitsOf } from '../text/units.ts';
import type { Ranges, Sightings } from './glance.ts';
import type { Sight } from './waiting.ts';

/**
 * Words may be driven apart by thousands of blanks or dashes. To a model they still stand side by side, but here they
 * would fall into different slices and out of each other's reach. So the first look measures distances without padding,
 * and what it saw is confirmed once more in the text with the padding collapsed. Runs shorter than RUN are not padding:
 * four of them, between five words, still fit into what the first look allows for blanks.
 */
export interface Padding {
  readonly runs: readonly Run[];
  /** Where an offset of the text would be with the padding collapsed, and the other way round. */
  readonly closed: (at: number) => number;
  readonly opened: (at: number) => number;
}

const RUN = 16;
/** In a text with padding, runs from this length on are collapsed as well. */
const LEAST = 8;

/** `units` are those of the text. Null when no run is long enough. */
export function paddingIn(units: Uint16Array, length: number): Padding | null {
  if (runsIn(units, 0, length, PAD, RUN).length === 0) return null;
  const runs = runsIn(units, 0, length, PAD, LEAST);
  /** Where each run ends: in the text, and in the text with all runs up to it collapsed to one blank. */
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

/** The index of the last of some sorted numbers that is not above `most`; -1 when all are. */
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
  /** The text with its padding collapsed, and what was seen in that. */
  readonly text: string;
  readonly sightings: Sightings;
  /** What was seen in the text as it stands, without the middle of long padding. */
  readonly asItStands: Sightings;
}

/**
 * Null where there is no padding. A sender may put megabytes between two words that a hundred rules wait for. So in the
 * text as it stands, ranges reach only a little into long padding; across it, the collapsed text is asked about.
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

/** Characters kept at either end of long padding: more punctuation in a row than any pattern has. */
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

/**
 * A loop, since a regular expression keeps a way back for every blank of a run, and megabytes of blanks overflow its
 * stack.
 */
function closedAt(runs: readonly Run[], text: string): string {
  let closed = '';
  let kept = 0;
  for (const { start, end } of runs) {
    closed += `${text.slice(kept, start)} `;
    kept = end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
