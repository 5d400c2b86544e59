import { PAD, runsIn } from './runs-of-units.ts';
import { unitsOf } from './units.ts';

/** Characters, more than any signature spans. */
const SPAN = 400;
/** From this length on, a run of padding counts as one blank between words. */
const RUN = 8;

type Span = readonly [start: number, end: number];

/** Widens each span by the text around it, and merges spans that touch afterwards. The spans must be in order. */
export function widened(text: string, spans: readonly Span[]): Span[] {
  const { before, after } = aroundIn(text);
  const wide: [start: number, end: number][] = [];
  for (const [start, end] of spans) {
    const [from, to] = [before(start), after(end)];
    const last = wide.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else wide.push([from, to]);
  }
  return wide;
}

/** How far to read on either side of a position to see everything that a signature could match there. */
export interface Around {
  readonly before: (at: number) => number;
  readonly after: (at: number) => number;
}

/** Measures distance the way signatures do: a run of blanks and dashes, however long, adds no distance. */
export function aroundIn(text: string): Around {
  const runs = runsIn(unitsOf(text), 0, text.length, PAD, RUN);
  if (runs.length === 0)
    return { before: (at) => Math.max(0, at - SPAN), after: (at) => Math.min(text.length, at + SPAN) };
  return {
    before(at) {
      let to = at;
      let left = SPAN;
      for (let i = lastBefore(runs, at); i >= 0; i -= 1) {
        const { start, end } = runs[i]!;
        if (to - end >= left) break;
        left -= Math.max(0, to - end);
        to = start;
      }
      return Math.max(0, to - left);
    },
    after(at) {
      let from = at;
      let left = SPAN;
      for (let i = lastBefore(runs, at) + 1; i < runs.length; i += 1) {
        const { start, end } = runs[i]!;
        if (end <= from) continue;
        if (start - from >= left) break;
        left -= Math.max(0, start - from);
        from = end;
      }
      return Math.min(text.length, from + left);
    },
  };
}

/** The index of the last run that begins before `at`; -1 if there is none. */
function lastBefore(runs: readonly { readonly start: number }[], at: number): number {
  let low = -1;
  let high = runs.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.start < at) low = middle;
    else high = middle;
  }
  return low;
}
