/**
 * Where in a body a finding is, counted in letters and digits from the start of its texts, joined one after the
 * other. Used only to tell whether findings are near each other. Two weak signs a page apart do not add up: every
 * long conversation holds some.
 */
export type Place = readonly [from: number, to: number];

/**
 * The distance within which weak signs count together, in letters and digits: some 60 words, a paragraph. A distance
 * of 1,000 found not one more of 7,092 attacks, and a distance of 60 found three fewer. But at 1,000, unrelated
 * remarks in neighboring paragraphs of web pages and handbooks added up to attacks.
 */
export const NEAR_DISTANCE = 300;

/** An unknown position: near everything. */
export const ANYWHERE: readonly Place[] = [[-Infinity, Infinity]];

/**
 * At most this many places are kept apart. Beyond that the two closest are merged, and the text between them counts
 * as part of the place.
 */
const MAX_PLACES = 4;

/** Sorts places and merges those that overlap or touch: `[[5, 9], [0, 6]] -> [[0, 9]]`. */
export function mergePlaces(places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const sorted = [...places].sort((a, b) => a[0] - b[0]);
  const joined: (readonly [number, number])[] = [];
  for (const place of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && place[0] <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], place[1])];
    else joined.push(place);
  }
  while (joined.length > MAX_PLACES) {
    let closest = 1;
    for (let i = 2; i < joined.length; i += 1) if (gap(joined, i) < gap(joined, closest)) closest = i;
    joined.splice(closest - 1, 2, [joined[closest - 1]![0], joined[closest]![1]]);
  }
  return joined;
}

/** Whether two findings have places that are at most NEAR_DISTANCE apart. */
export function areNear({ places: some = ANYWHERE }: Placed, { places: others = ANYWHERE }: Placed): boolean {
  return some.some(([from, to]) =>
    others.some((other) => other[0] <= to + NEAR_DISTANCE && from <= other[1] + NEAR_DISTANCE),
  );
}

interface Placed {
  readonly places?: readonly Place[] | undefined;
}

function gap(places: readonly Place[], i: number): number {
  return places[i]![0] - places[i - 1]![1];
}
