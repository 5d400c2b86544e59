import type { Passage } from '../domain/passage.ts';
import { united, type Place } from '../domain/place.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Ranges } from './glance.ts';

/** Where the passages of a body begin when they are read one behind the other. What is known of it to be clean counts, too. */
export interface Offsets {
  /** Of what stands in a reading of a unit, in the places of the body. */
  readonly placesIn: (judged: Pick<Judged, 'unit' | 'seam'>, via: Reading['via'], ranges: Ranges) => readonly Place[];
}

export function offsetsOf(passages: readonly Passage[]): Offsets {
  // Most bodies hold nothing to be placed.
  let starts: ReadonlyMap<object, number> | null = null;
  const of = (passage: object): number => (starts ??= startsOf(passages)).get(passage) ?? 0;
  return {
    placesIn({ unit, seam }, via, ranges) {
      if (seam !== null) {
        const first = seam.parts[0] as Passage;
        const last = seam.parts.at(-1) as Passage;
        const cut = of(first) + first.text.length;
        return [[Math.max(of(first), cut - seam.reach), of(last) + Math.min(last.text.length, seam.reach)]];
      }
      const start = of(unit);
      // Where something stood before it was decoded nobody knows.
      if (!via.every((name) => STAYS.has(name))) return [[start, start + unit.text.length]];
      return united(ranges.map(([from, to]) => [start + from, start + to]));
    },
  };
}

function startsOf(passages: readonly Passage[]): Map<object, number> {
  const starts = new Map<object, number>();
  let at = 0;
  for (const passage of passages) {
    starts.set(passage, at);
    // A part of nothing but blanks keeps nothing apart.
    if (passage.text.trim() !== '') at += passage.text.length;
  }
  return starts;
}

/** Readings whose characters stand where they stood, but for a few. */
const STAYS: ReadonlySet<string> = new Set(['folded', 'padding']);
