import { PAD, runsIn } from './runs-of-units.ts';
import { unitsOf } from './units.ts';

/** More than any signature spans. */
const SPAN = 400;
/** So long that it counts as one blank where it stands between words. */
const RUN = 8;

type Span = readonly [start: number, end: number];

/** Spans in their order, with what stands around each; those that touch then are one. */
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

/** What has to be read on either side of a place so that whatever a signature could see there is seen. */
export interface Around {
  readonly before: (at: number) => number;
  readonly after: (at: number) => number;
}

/** As signatures measure it: blanks and dashes, however many, keep nothing apart, so they are no way off. */
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

/** The last run that begins before a place; -1 when none does. */
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
