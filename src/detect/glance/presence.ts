import { listsOf } from './lists.ts';
import type { Spotted } from './spotter.ts';
import { NUMBER } from './told.ts';

/**
 * Whether all words that a rule waits for stand anywhere near, asked before it is asked where they stand: for nearly
 * all triggers in honest text, another word is nowhere near. Only signs without a common word are asked about, since
 * the others stand in every text and say nothing. That leaves three signs of four, and one in three words of a text
 * belongs to one.
 */
export interface Presence {
  /** For each number of a key, 1 if a sign that is asked about has it. */
  readonly isAsked: Uint8Array;
  /**
   * Looks at what was spotted, from one index up to another. `flag` marks the keys that belong to a sign that is asked
   * about.
   */
  readonly look: (spotted: Spotted, from: number, to: number, flag: number) => void;
  /** False if one of a wait's signs was not seen in the last look. */
  readonly canMeet: (wait: number) => boolean;
}

/** Numbers are given out by how common keys are. A sign with a key below this number is not worth asking about. */
const COMMON = 200;

export function createPresence(
  /** For each wait, the signs that must all stand near its trigger. */
  waits: readonly (readonly number[])[],
  numbersOf: readonly (readonly number[])[],
  keys: number,
): Presence {
  const numbered = new Map<number, number>();
  const { starts: firsts, members: asked } = listsOf(waits.length, (tell) => {
    for (const [wait, signs] of waits.entries())
      for (const sign of signs) {
        if (numbersOf[sign]!.some((key) => key < COMMON)) continue;
        const number = numbered.get(sign) ?? numbered.size;
        numbered.set(sign, number);
        tell(wait, number);
      }
  });
  const { starts, members } = listsOf(keys, (tell) => {
    for (const [sign, number] of numbered) for (const key of numbersOf[sign]!) tell(key, number);
  });
  const isAsked = Uint8Array.from({ length: keys }, (_, key) => (starts[key + 1]! > starts[key]! ? 1 : 0));
  /** The look in which each sign was seen last, so that nothing has to be reset between two looks. */
  const seen = new Int32Array(numbered.size);
  let round = 0;

  return {
    isAsked,
    look(spotted, from, to, flag) {
      const { keys } = spotted;
      round = (round + 1) | 0;
      for (let i = from; i < to; i += 1) {
        if ((keys[i]! & flag) === 0) continue;
        const key = keys[i]! & NUMBER;
        const end = starts[key + 1]!;
        for (let k = starts[key]!; k < end; k += 1) seen[members[k]!] = round;
      }
    },
    canMeet(wait) {
      const end = firsts[wait + 1]!;
      for (let k = firsts[wait]!; k < end; k += 1) if (seen[asked[k]!] !== round) return false;
      return true;
    },
  };
}
