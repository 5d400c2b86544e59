import type { Note } from './glance.ts';
import { listsOf } from './lists.ts';
import { createMembers } from './sign-members.ts';
import { flagged, NUMBER } from './spotter.ts';
import type { Spotted } from './spotter.ts';
import { FLAG } from './waiting.ts';
import type { PatternWait } from './waiting.ts';

const TRIGGER = flagged(FLAG.pattern);

/**
 * For each trigger of a pattern that was spotted: whether the pattern's other words stand where it has them, so many words
 * before or behind. Few triggers stand in honest text and few words around each are asked, so that this costs less than to
 * keep account of where every sign stood last.
 */
export function createNeighbours(
  waits: readonly PatternWait[],
  numbersOf: readonly (readonly number[])[],
  keys: number,
): (spotted: Spotted, from: number, to: number, note: Note) => void {
  const { starts, members: waiting } = listsOf(keys, (tell) => {
    for (const [number, { trigger }] of waits.entries()) for (const key of numbersOf[trigger]!) tell(key, number);
  });
  const isIn = createMembers(
    waits.flatMap(({ others }) => others.map(({ sign }) => sign)),
    numbersOf,
    keys,
  );

  /** Whether one of a sign's keys stands among those spotted from `at` on, in steps of one to either side, so many words away at most. */
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

  return (spotted, from, to, note) => {
    const { keys, places, ends } = spotted;
    for (let i = from; i < to; i += 1) {
      if ((keys[i]! & TRIGGER) === 0) continue;
      const key = keys[i]! & NUMBER;
      const begin = starts[key]!;
      const end = starts[key + 1]!;
      // What ends in the same word may be on either side.
      let first = i;
      let last = i;
      while (first > 0 && places[first - 1] === places[i]) first -= 1;
      while (last + 1 < spotted.count && places[last + 1] === places[i]) last += 1;
      for (let k = begin; k < end; k += 1) {
        const wait = waits[waiting[k]!]!;
        const { others, reach } = wait;
        let all = true;
        for (let m = 0; all && m < others.length; m += 1) {
          const { sign, before, words } = others[m]!;
          all = before ? stands(spotted, last, -1, sign, words, reach) : stands(spotted, first, 1, sign, words, reach);
        }
        if (all) note(wait, ends[i]!, reach);
      }
    }
  };
}
