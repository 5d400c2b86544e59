import { commonness } from '../patterns/commonness.ts';
import type { Key } from '../patterns/keys.ts';

/**
 * Keys that belong to exactly the same signs share a number, since nobody has to tell them apart. Of 85,000 keys
 * fourteen thousand numbers are left, and what is looked up at every spotted word fits into a cache that is near. The
 * keys that stand in every text come first, side by side.
 */
export interface Alike {
  /** For each number that keys hash to (`Hashed.numbers`), the number that they share. */
  readonly of: Int32Array;
  readonly count: number;
}

export function alikeIn(
  keys: readonly Key[],
  /** For each key, the number that it hashes to. */
  numbers: Int32Array,
  /** For each sign, the indices of its keys. */
  keysOfSign: readonly Int32Array[],
): Alike {
  // All keys are one group at first. Each sign then splits off those of a group that belong to it.
  const group = new Int32Array(keys.length);
  const sorted = new Int32Array(keys.length).fill(NONE);
  /** For each group, the one that its members in the current sign move to. */
  const apart = new Int32Array(1 + keysOfSign.reduce((sum, members) => sum + members.length, 0));
  let groups = 1;
  for (const [sign, members] of keysOfSign.entries()) {
    const known = groups;
    for (const key of members) {
      const number = numbers[key]!;
      if (sorted[number] === sign) continue;
      sorted[number] = sign;
      const old = group[number]!;
      if (apart[old]! < known) {
        apart[old] = groups;
        groups += 1;
      }
      group[number] = apart[old]!;
    }
  }
  const named = new Int32Array(groups).fill(NONE);
  const of = new Int32Array(keys.length);
  let count = 0;
  for (const key of commonFirst(keys)) {
    const number = numbers[key]!;
    const old = group[number]!;
    if (named[old] === NONE) {
      named[old] = count;
      count += 1;
    }
    of[number] = named[old]!;
  }
  return { of, count };
}

const NONE = -1;

/** Indices of the keys, the most common first. */
function commonFirst(keys: readonly Key[]): number[] {
  const byShare = new Map<number, number[]>();
  for (const [at, { kind, text }] of keys.entries()) {
    const share = kind === 'word' ? commonness(text) : 0;
    const same = byShare.get(share);
    if (same === undefined) byShare.set(share, [at]);
    else same.push(at);
  }
  return [...byShare].sort(([one], [other]) => other - one).flatMap(([, same]) => same);
}
