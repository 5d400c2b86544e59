import { listsOf } from './lists.ts';

/**
 * Tells whether a key belongs to a sign. Nearly all do not, and a bit for every pair says so. Two pairs may share a
 * bit, so a bit that is set is checked in the lists.
 */
export function createMembers(
  signs: Iterable<number>,
  numbersOf: readonly (readonly number[])[],
  keys: number,
): (key: number, sign: number) => boolean {
  const asked = new Set(signs);
  const { starts, members } = listsOf(keys, (tell) => {
    for (const sign of asked) for (const key of numbersOf[sign]!) tell(key, sign);
  });
  const bits = new Uint8Array(BITS / 8);
  for (const sign of asked)
    for (const key of numbersOf[sign]!) {
      const bit = bitFor(key, sign);
      bits[bit >>> 3]! |= 1 << (bit & 7);
    }
  return (key, sign) => {
    const bit = bitFor(key, sign);
    if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    const end = starts[key + 1]!;
    for (let i = starts[key]!; i < end; i += 1) if (members[i] === sign) return true;
    return false;
  };
}

const BITS = 1 << 18;

function bitFor(key: number, sign: number): number {
  return (Math.imul(key, 0x9e3779b1) ^ Math.imul(sign, 0x85ebca77)) >>> 14;
}
