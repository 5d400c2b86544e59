import { createMembers } from './sign-members.ts';
import type { Spotted } from './spotter.ts';
import { NUMBER } from './told.ts';
import type { Beside } from './waiting.ts';

/**
 * Whether all `others` stand where their pattern has them around the key spotted at index `at`, and at most `reach`
 * characters away.
 */
export type StandBeside = (spotted: Spotted, at: number, others: readonly Beside[], reach: number) => boolean;

export function createBeside(
  asked: Iterable<Beside>,
  numbersOf: readonly (readonly number[])[],
  keys: number,
): StandBeside {
  const signs = new Set<number>();
  for (const { sign } of asked) signs.add(sign);
  const isIn = createMembers(signs, numbersOf, keys);

  /**
   * Whether one of a sign's keys was spotted from index `at` on, backwards (`step` -1) or forwards (1), at most `words`
   * words and `reach` characters away.
   */
  function stands(spotted: Spotted, at: number, step: number, sign: number, words: number, reach: number): boolean {
    const { keys, ends, places, count } = spotted;
    const place = places[at]!;
    const end = ends[at]!;
    for (let i = at; i >= 0 && i < count; i += step) {
      if (Math.abs(places[i]! - place) > words || Math.abs(ends[i]! - end) > reach) return false;
      if (isIn(keys[i]! & NUMBER, sign)) return true;
    }
    return false;
  }

  return (spotted, at, others, reach) => {
    if (others.length === 0) return true;
    const { places, count } = spotted;
    // Keys that end in the same word may be on either side.
    let first = at;
    let last = at;
    while (first > 0 && places[first - 1] === places[at]) first -= 1;
    while (last + 1 < count && places[last + 1] === places[at]) last += 1;
    for (let m = 0; m < others.length; m += 1) {
      const { sign, before, words } = others[m]!;
      if (!(before ? stands(spotted, last, -1, sign, words, reach) : stands(spotted, first, 1, sign, words, reach)))
        return false;
    }
    return true;
  };
}
