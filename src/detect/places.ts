import type { Passage } from '../domain/passage.ts';
import { mergePlaces, type Place } from '../domain/place.ts';
import { lettersIn, type Letters } from '../text/letters.ts';
import type { CutFrom, Reading } from '../text/readings.ts';
import type { Judged } from './body.ts';
import type { Ranges } from './glance/sightings.ts';

/**
 * Where things stand in a body whose passages are read one behind the other, those known to be clean included. Places
 * are counted in letters and digits.
 */
export interface Offsets {
  /**
   * The places of `ranges` in a reading of a unit; with no ranges, the place of the unit. Undefined where places are
   * not told.
   */
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
  // Made on first use: most bodies hold nothing to be placed.
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
        return mergePlaces(
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
      // It is not known where something stood before it was decoded: the whole unit counts.
      if (ranges.length === 0 || !isInPlace(via)) return all;
      const inReading = text === unit.text ? letters : lettersOf(text, cutFrom);
      // Folding a character to several letters has moved what stands behind it: the whole unit counts.
      if (Math.abs(inReading.count - letters.count) > MOST_MOVED) return all;
      const { before } = inReading;
      return mergePlaces(ranges.map(([from, to]) => [start + before(from), start + before(to)]));
    },
  };
}

/**
 * Letters of the excerpt become letters of the whole text that was folded. Counted in letters and not in characters,
 * since an excerpt whose padding was collapsed has the same letters.
 */
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

/** Whether the decoders of a reading leave words where they stood. */
export function isInPlace(via: Reading['via']): boolean {
  return via.every((name) => STAYS.has(name));
}

/** A shift by this many letters is ignored: it is less than what separates two signals that count together. */
const MOST_MOVED = 100;

/**
 * For answers, which are read as they come, in stretches that are cut anywhere: a finding counts together with all
 * others.
 */
export const UNPLACED: Offsets = { placesIn: () => undefined };

/** Decoders that leave each word where it stood, and change only what is between words. */
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
