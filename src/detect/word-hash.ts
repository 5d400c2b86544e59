import type { Key } from './keys.ts';

/** Letters, in either case, and digits from one up; everything else is none. */
export const CODES = new Uint8Array(65_536);
for (let i = 0; i < 26; i += 1) CODES[0x41 + i] = CODES[0x61 + i] = i + 1;
for (let digit = 0; digit < 10; digit += 1) CODES[0x30 + digit] = digit + 28;

/**
 * Letters beyond ASCII as small ones. By way of the capital, since several small ones may share one, and to the engine they
 * are all the same: the two of Greek sigma, and the Cyrillic letters of old prints.
 */
export const SMALLS = new Uint16Array(65_536);
for (let unit = 0; unit < SMALLS.length; unit += 1) SMALLS[unit] = unit < 128 || unit > 0x24ff ? unit : smallOf(unit);

function smallOf(unit: number): number {
  const char = String.fromCharCode(unit);
  const alike = [char.toUpperCase().toLowerCase(), char.toLowerCase()];
  return alike.find((small) => small.length === 1 && small > '\x7f')?.charCodeAt(0) ?? unit;
}

/** What the hashes are made with: of two words that are neighbours, `pair`; of characters beyond ASCII, `gram`. */
export const HASH = { step: 0x297a2d39 | 0, pair: 0x6c8e9cf5 | 0, gram: 0x2c1b3c6d } as const;

/** The hash of a key, as the spotter comes by it. */
export const hashOf = {
  word: (text) => along(text, 0, text.length),
  prefix: (text) => along(text, 0, text.length),
  suffix: (text) => along(text, 0, text.length),
  pair: (text) => {
    const gap = text.indexOf(' ');
    return paired(along(text, 0, gap), along(text, gap + 1, text.length));
  },
  gram(text) {
    // From the last to the first, as a look back from where it ends meets them.
    let hash: number = HASH.gram;
    for (let i = text.length - 1; i >= 0; i -= 1) hash = Math.imul(hash + SMALLS[text.charCodeAt(i)]!, HASH.step);
    return hash;
  },
} satisfies Record<Key['kind'], (text: string) => number>;

/**
 * A sum in powers of one number, so that the end of a word has a hash of its own without being read again: what stands
 * before it, times the power, is taken off.
 */
function along(text: string, from: number, to: number): number {
  let hash = 0;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash + CODES[text.charCodeAt(i)]!, HASH.step);
  return hash;
}

function paired(before: number, after: number): number {
  return Math.imul(before ^ (after >>> 15), HASH.pair) ^ after;
}
