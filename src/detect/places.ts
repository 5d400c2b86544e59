import type { Passage } from '../domain/passage.ts';
import { united, type Place } from '../domain/place.ts';
import { lettersIn, type Letters } from '../text/letters.ts';
import type { CutFrom, Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Ranges } from './glance.ts';

/** Where things stand when the passages of a body are read one behind the other, those that are known to be clean among them. */
export interface Offsets {
  /** Of what stands in a reading of a unit; of no ranges, where the unit is. Undefined where places are not told. */
  readonly placesIn: (
    judged: Pick<Judged, 'unit' | 'seam'>,
    reading: Pick<Reading, 'text' | 'via' | 'cutFrom'>,
    ranges: Ranges,
  ) => readonly Place[] | undefined;
}

interface Placed {
  readonly start: number;
  readonly letters: Letters;
}

export function offsetsOf(passages: readonly Passage[]): Offsets {
  // Most bodies hold nothing to be placed.
  let placed: ReadonlyMap<object, Placed> | null = null;
  const of = (passage: object): Placed => {
    const found = (placed ??= placedIn(passages)).get(passage);
    if (found === undefined) throw new Error('a unit that is no passage of the body has no place in it');
    return found;
  };
  let last: { readonly text: string; readonly cutFrom: CutFrom | undefined; readonly letters: Letters } | null = null;
  const lettersOf = (text: string, cutFrom: CutFrom | undefined): Letters => {
    if (last?.text !== text || last.cutFrom !== cutFrom) {
      const letters = lettersIn(text);
      last = { text, cutFrom, letters: cutFrom === undefined ? letters : lettersOfWhole(letters, cutFrom) };
    }
    return last.letters;
  };
  return {
    placesIn({ unit, seam }, { text, via, cutFrom }, ranges) {
      if (seam !== null) {
        return united(
          seam.parts.flatMap((part, i): Place[] => {
            const { start, letters } = of(part);
            const end = start + letters.count;
            const head: Place[] = i === 0 ? [] : [[start, Math.min(end, start + seam.reach)]];
            const tail: Place[] = i === seam.parts.length - 1 ? [] : [[Math.max(start, end - seam.reach), end]];
            return [...head, ...tail];
          }),
        );
      }
      const { start, letters } = of(unit);
      const all: readonly Place[] = [[start, start + letters.count]];
      // Where something stood before it was decoded nobody knows.
      if (ranges.length === 0 || !isInPlace(via)) return all;
      const inReading = text === unit.text ? letters : lettersOf(text, cutFrom);
      // A fold of signs that are several letters each has moved what stands behind them.
      if (Math.abs(inReading.count - letters.count) > MOST_MOVED) return all;
      const { before } = inReading;
      return united(ranges.map(([from, to]) => [start + before(from), start + before(to)]));
    },
  };
}

/** By letters and not by characters: an excerpt whose padding was measured away has the same letters. */
function lettersOfWhole({ before }: Letters, { whole, excerpt, cuts }: CutFrom): Letters {
  const inWhole = lettersIn(whole);
  const inExcerpt = lettersIn(excerpt);
  const leftOut = cuts.map(([at, from]): readonly [number, number] => {
    const upTo = inExcerpt.before(at);
    return [upTo, inWhole.before(from) - upTo];
  });
  return {
    count: inWhole.count,
    before: (at) => {
      const mine = before(at);
      return mine + (leftOut.findLast(([upTo]) => upTo <= mine)?.[1] ?? 0);
    },
  };
}

export function isInPlace(via: Reading['via']): boolean {
  return via.every((name) => STAYS.has(name));
}

/** Fewer letters than would part what belongs together. */
const MOST_MOVED = 100;

/** Of an answer, which is read as it comes, in stretches that are cut anywhere: what is found in it counts with all that is. */
export const UNPLACED: Offsets = { placesIn: () => undefined };

/** Readings in which each word stands where it stood, but for what is between them. */
const STAYS: ReadonlySet<string> = new Set(['folded', 'padding']);

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
