import { createBeside } from './beside.ts';
import type { Note } from './sightings.ts';
import { listsOf } from './lists.ts';
import type { Spotted } from './spotter.ts';
import { flagged, NUMBER } from './told.ts';
import { FLAG } from './waiting.ts';
import type { PatternWait } from './waiting.ts';

const TRIGGER = flagged(FLAG.pattern);

/**
 * For each trigger of a pattern that was spotted: whether the other words of the pattern stand where it has them, so
 * many words before or behind. Honest text has few triggers, and few words around each are looked at, which costs less
 * than keeping account of where every sign stood last.
 */
export function createNeighbours(
  waits: readonly PatternWait[],
  numbersOf: readonly (readonly number[])[],
  keys: number,
  /** Whether all words that the wait asks for stand anywhere near. */
  canMeet: (wait: number) => boolean,
): (spotted: Spotted, from: number, to: number, note: Note) => void {
  const { starts, members: waiting } = listsOf(keys, (tell) => {
    for (const [number, { trigger }] of waits.entries()) for (const key of numbersOf[trigger]!) tell(key, number);
  });
  const standBeside = createBeside(
    waits.flatMap(({ others }) => others),
    numbersOf,
    keys,
  );

  return (spotted, from, to, note) => {
    const { keys, ends } = spotted;
    for (let i = from; i < to; i += 1) {
      if ((keys[i]! & TRIGGER) === 0) continue;
      const key = keys[i]! & NUMBER;
      const end = starts[key + 1]!;
      for (let k = starts[key]!; k < end; k += 1) {
        if (!canMeet(waiting[k]!)) continue;
        const wait = waits[waiting[k]!]!;
        if (standBeside(spotted, i, wait.others, wait.reach)) note(wait, ends[i]!, wait.reach);
      }
    }
  };
}
