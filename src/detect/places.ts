import type { Passage } from '../domain/passage.ts';
import { united, type Place } from '../domain/place.ts';
import { lettersIn, type Letters } from '../text/letters.ts';
import type { Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Ranges } from './glance.ts';

/** Where things stand when the passages of a body are read one behind the other, those that are known to be clean among them. */
export interface Offsets {
  /** Of what stands in a reading of a unit. */
  readonly placesIn: (
    judged: Pick<Judged, 'unit' | 'seam'>,
    reading: Pick<Reading, 'text' | 'via'>,
    ranges: Ranges,
  ) => readonly Place[];
}

interface Placed {
  readonly start: number;
  readonly letters: Letters;
}

export function offsetsOf(passages: readonly Passage[]): Offsets {
  // Most bodies hold nothing to be placed.
  let placed: ReadonlyMap<object, Placed> | null = null;
  const of = (passage: object): Placed => (placed ??= placedIn(passages)).get(passage) ?? NOWHERE;
  let lastText = '';
  let lastLetters = NOWHERE.letters;
  const lettersOf = (text: string): Letters => {
    if (text !== lastText) [lastText, lastLetters] = [text, lettersIn(text)];
    return lastLetters;
  };
  return {
    placesIn({ unit, seam }, { text, via }, ranges) {
      if (seam !== null) {
        const first = of(seam.parts[0]!);
        const last = of(seam.parts.at(-1)!);
        const cut = first.start + first.letters.count;
        return [[Math.max(first.start, cut - seam.reach), last.start + Math.min(last.letters.count, seam.reach)]];
      }
      const { start, letters } = of(unit);
      // Where something stood before it was decoded nobody knows.
      if (!via.every((name) => STAYS.has(name))) return [[start, start + letters.count]];
      const { before } = text === unit.text ? letters : lettersOf(text);
      return united(ranges.map(([from, to]) => [start + before(from), start + before(to)]));
    },
  };
}

/** Readings in which each word stands where it stood, but for what is between them. */
const STAYS: ReadonlySet<string> = new Set(['folded', 'padding']);

const NOWHERE: Placed = { start: 0, letters: lettersIn('') };

function placedIn(passages: readonly Passage[]): Map<object, Placed> {
  const placed = new Map<object, Placed>();
  let start = 0;
  for (const passage of passages) {
    const letters = lettersIn(passage.text);
    placed.set(passage, { start, letters });
    start += letters.count;
  }
  return placed;
}
