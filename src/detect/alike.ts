import { commonness } from './commonness.ts';
import type { Key } from './keys.ts';

/**
 * Keys that the same signs wait for are one to whoever asks which signs were seen, and share a number: of 85,000 keys fourteen
 * thousand are left, and what is kept of each, and looked up at every word that is spotted, stays near. Those that stand in
 * every text come first, side by side.
 */
export interface Alike {
  /** Of each number that keys hash to. */
  readonly of: Int32Array;
  readonly count: number;
}

export function alikeIn(
  keys: readonly Key[],
  /** Of each key what it hashes to. */
  numbers: Int32Array,
  /** Of each sign its keys, by their place. */
  keysOfSign: readonly Int32Array[],
): Alike {
  // All are one until a sign has some of them and not the others.
  const group = new Int32Array(keys.length);
  const sorted = new Int32Array(keys.length).fill(NONE);
  /** Of each group the one that those of the sign at hand leave it for. */
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
