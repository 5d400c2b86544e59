import { listsOf } from './lists.ts';
import type { Spotted } from './spotter.ts';
import { NUMBER } from './told.ts';

/**
 * Whether all that a rule waits for can stand somewhere near, asked before where: of nearly all triggers in honest text some
 * other word is nowhere. Only signs without a common word are asked, since the others stand in every text and say nothing;
 * that leaves three signs of four, and of the words of a text one in three belongs to one.
 */
export interface Presence {
  /** Of each number of keys, whether any sign is asked that has it. */
  readonly isAsked: Uint8Array;
  /** Looks at what was spotted from one on and up to another, where `flag` says that it is asked. */
  readonly look: (spotted: Spotted, from: number, to: number, flag: number) => void;
  /** False where one of a wait's signs was not among them. */
  readonly canMeet: (wait: number) => boolean;
}

/** Numbers are given in the order of how common they are: of a sign that has one of the first it is not worth asking. */
const COMMON = 200;

export function createPresence(
  /** Of each wait the signs that must all stand near its trigger. */
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
  /** In which look each was seen last, so that nothing has to be forgotten in between. */
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
