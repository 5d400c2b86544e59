import type { Key } from './keys.ts';

/** Letters, in either case, and digits from one up; everything else is none. */
export const CODES = Uint8Array.from({ length: 65_536 }, (_, unit) => {
  const char = unit < 128 ? String.fromCharCode(unit).toLowerCase() : ' ';
  if (char >= 'a' && char <= 'z') return char.charCodeAt(0) - 96;
  return char >= '0' && char <= '9' ? char.charCodeAt(0) - 20 : 0;
});

/**
 * Letters beyond ASCII as small ones. By way of the capital, since several small ones may share one, and to the engine they
 * are all the same: the two of Greek sigma, and the Cyrillic letters of old prints.
 */
export const SMALLS = Uint16Array.from({ length: 65_536 }, (_, unit) => {
  if (unit < 128 || unit > 0x24ff) return unit;
  const char = String.fromCharCode(unit);
  const alike = [char.toUpperCase().toLowerCase(), char.toLowerCase()];
  return alike.find((small) => small.length === 1 && small > '\x7f')?.charCodeAt(0) ?? unit;
});

/** What the hashes are made with: of two words that are neighbours, `pair`; of characters beyond ASCII, `gram`. */
export const HASH = { step: 0x297a2d39 | 0, pair: 0x6c8e9cf5 | 0, gram: 0x2c1b3c6d } as const;

/** The hash of a key, as the spotter comes by it. */
export const hashOf = {
  word: (text) => along(0, text, (unit) => CODES[unit]!),
  prefix: (text) => along(0, text, (unit) => CODES[unit]!),
  suffix: (text) => along(0, text, (unit) => CODES[unit]!),
  pair: (text) => {
    const gap = text.indexOf(' ');
    const [before, after] = [text.slice(0, gap), text.slice(gap + 1)];
    return paired(
      along(0, before, (unit) => CODES[unit]!),
      along(0, after, (unit) => CODES[unit]!),
    );
  },
  // From the last to the first, as a look back from where it ends meets them.
  gram: (text) => along(HASH.gram, backwards(text), (unit) => SMALLS[unit]!),
} satisfies Record<Key['kind'], (text: string) => number>;

/**
 * A sum in powers of one number, so that the end of a word has a hash of its own without being read again: what stands
 * before it, times the power, is taken off.
 */
function along(seed: number, text: string, codeOf: (unit: number) => number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash + codeOf(text.charCodeAt(i)), HASH.step);
  return hash;
}

function backwards(text: string): string {
  return text.split('').reverse().join('');
}

function paired(before: number, after: number): number {
  return Math.imul(before ^ (after >>> 15), HASH.pair) ^ after;
}
