import { KIND, LEETED } from './runs-of-units.ts';
import { isAsciiLetter, skipBlanks } from './units.ts';
import { PLAIN_LETTERS, isWordEither, isWordIn } from './words.ts';
import type { Letters } from './words.ts';

/**
 * Checks whether a symbol is part of a disguised known word, with one walk down a trie that mostly ends at the third
 * letter.
 */

/** Identifiers and hashes are longer than words. */
export const LONGEST_LEET = 24;
const LEAST_LEET = 3;
export const LEAST_KNOWN = 4;
const LONGEST_SPLIT = 24;
const HYPHEN = 0x2d;
const LF = 0x0a;

/** The letter each symbol stands for. `1` and `!` may be an `i` or an `l`; `|` an `l` or an `i`. */
const SIGNS = { '0': 'o', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g' } as const;
const MORE = { '@': 'a', $: 's', '+': 't', '(': 'c' } as const;
export const USUAL = lettersOf('i', 'l');
const OTHER = lettersOf('l', 'i');

/**
 * Whether the characters spell a known word, or one of `trie`, with either letter for each symbol. The word is written
 * into `out`.
 */
export function isLeetWord(
  units: Uint16Array,
  start: number,
  end: number,
  out: Uint16Array | null = null,
  trie?: Uint16Array,
): boolean {
  return isWordEither(units, start, end, USUAL, OTHER, out, 0, trie);
}

/** Up to where characters have been checked already: each symbol of a word would get the same answer. */
let asked = 0;

export function startLeet(): void {
  asked = 0;
}

/**
 * Whether `at` is inside a leet word: a word with a symbol inside it, or one that needs the symbols at its end. Must
 * agree with the regular expressions of the leet decoder.
 */
export function isLeetAt(units: Uint16Array, at: number, end: number): boolean {
  if (at < asked) return false;
  let start = at;
  while (start > 0 && at - start <= LONGEST_LEET && isLeeted(units[start - 1] as number)) start--;
  let to = at + 1;
  while (to < end && to - start <= LONGEST_LEET && isLeeted(units[to] as number)) to++;
  asked = to;
  return isLeetIn(units, start, to);
}

export function isLeetIn(units: Uint16Array, first: number, to: number): boolean {
  const start = startIn(units, first, to);
  if (to - start > LONGEST_LEET || to - start < LEAST_LEET) return false;
  const bare = bareEnd(units, start, to);
  if (to - start >= LEAST_KNOWN && bare < to && isWordIn(units, start, to, USUAL)) return true;
  if (bare - start < LEAST_KNOWN) return false;
  let signs = 0;
  for (let i = start; i < bare; i++) if (!isAsciiLetter(units[i] as number)) signs++;
  return signs > 0 && signs < bare - start && isLeetWord(units, start, bare);
}

/** The end of the word without a tail that may end a sentence or open a bracket, and so may not belong to the word. */
export function bareEnd(units: Uint16Array, start: number, end: number): number {
  let bare = end;
  while (bare > start && isTail(units[bare - 1] as number)) bare--;
  return bare;
}

/**
 * The start of the word without a leading bracket or bar, unless the word needs it: `(0d3` is `code`, `(c0d3` is a
 * bracket and `code`.
 */
export function startIn(units: Uint16Array, start: number, end: number): number {
  const first = units[start];
  if (first !== 0x28 && first !== 0x7c) return start;
  const bare = bareEnd(units, start, end);
  return isLeetWord(units, start, bare) ? start : start + 1;
}

function isLeeted(unit: number): boolean {
  return ((KIND[unit] as number) & LEETED) !== 0;
}

function isTail(unit: number): boolean {
  return unit === 0x21 || unit === 0x7c || unit === 0x28;
}

function lettersOf(one: string, bar: string): Letters {
  const letters = Uint8Array.from(PLAIN_LETTERS);
  for (const [sign, letter] of Object.entries({ ...SIGNS, ...MORE, '1': one, '!': one, '|': bar }))
    letters[sign.charCodeAt(0)] = letter.charCodeAt(0) - 96;
  return letters;
}

/** Whether the hyphen at `at` splits a known word of which at least one part is not a word: `ig-nore`. */
export function isSplitAt(units: Uint16Array, at: number, end: number): boolean {
  let start = at;
  while (start > 0 && at - start <= LONGEST_SPLIT && isAsciiLetter(units[start - 1] as number)) start--;
  // The first hyphen of a word decides for the others.
  if (start > 1 && units[start - 1] === HYPHEN && isAsciiLetter(units[start - 2] as number)) return false;
  let to = at + 1;
  while (to < end && to - start <= LONGEST_SPLIT && (units[to] === HYPHEN || isAsciiLetter(units[to] as number))) to++;
  if (to - start > LONGEST_SPLIT || !isWordIn(units, start, to, PLAIN_LETTERS, HYPHEN)) return false;
  for (let from = start; from < to;) {
    let part = from;
    while (part < to && units[part] !== HYPHEN) part++;
    if (part > from && !isWordIn(units, from, part)) return true;
    from = part + 1;
  }
  return false;
}

/** Most blanks between the hyphen and the rest of the word, line ends included. */
const MOST_AT_LINE_END = 34;

/** Whether a word goes on behind the hyphen at `at` and a line end. Pages split words that way, whatever the word. */
export function isSplitAtLineEnd(units: Uint16Array, at: number, end: number): boolean {
  const next = skipBlanks(units, at + 1, end, MOST_AT_LINE_END);
  return next < end && isAsciiLetter(units[next] as number) && units.subarray(at, next).includes(LF);
}
