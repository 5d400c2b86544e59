import { ASCII_LOOK_ALIKES } from '../ascii-look-alikes.ts';
import { isAsciiLetter } from '../units.ts';
import { PLAIN_LETTERS, trieOf } from '../words.ts';
import { USUAL } from '../words-at.ts';
import type { Run } from './runs.ts';

/**
 * Finds trigger words in a text whose letters are substituted or reordered. Some of the letters may also be digits,
 * accented or of another script, and the words may be glued together. A walk down a trie from each character, which
 * nearly always ends at once.
 */
export interface Telling {
  readonly trie: Uint16Array;
  /** The trie nodes of words that are too short to count in the middle of other letters. */
  readonly small: ReadonlySet<number>;
}

export interface Hit extends Run {
  /** One long word is enough. Of short words it takes two, since `terra` is ROT13 for `green`. */
  readonly weight: 1 | 2;
}

const LONG = 8;
const ROW = 27;
const END = 26;

/**
 * For each code unit the letter it stands for, counted from 1. Characters that a cipher leaves alone stand for what
 * they look like.
 */
export type LetterTable = Uint8Array;

export function lettersBy(undo: (letter: number) => number): LetterTable {
  const table = WIDE.slice();
  for (let unit = 0; unit < 128; unit++) {
    const letter = PLAIN_LETTERS[unit] as number;
    table[unit] = letter === 0 ? (USUAL[unit] as number) : undo(letter - 1) + 1;
  }
  return table;
}

export function tellingWords(words: readonly string[], small: readonly string[]): Telling {
  const trie = trieOf([...words, ...small]);
  return { trie, small: new Set(small.map((word) => nodeOf(trie, word))) };
}

function nodeOf(trie: Uint16Array, word: string): number {
  let node = 0;
  for (let i = 0; i < word.length; i++) node = trie[node * ROW + word.charCodeAt(i) - 97] as number;
  return node;
}

export function wordsFound(units: Uint16Array, length: number, letters: LetterTable, { trie, small }: Telling): Hit[] {
  const hits: Hit[] = [];
  for (let start = 0; start < length;) {
    let node = 0;
    let end = 0;
    for (let at = start; at < length; at++) {
      const letter = letters[units[at] as number] as number;
      if (letter === 0) break;
      node = trie[node * ROW + letter - 1] as number;
      if (node === 0) break;
      if (trie[node * ROW + END] === 1 && (!small.has(node) || isAlone(units, start, at + 1, length))) end = at + 1;
    }
    if (end > start) hits.push({ start, end, weight: end - start >= LONG ? 2 : 1 });
    start = end > start ? end : start + 1;
  }
  return hits;
}

function isAlone(units: Uint16Array, start: number, end: number, length: number): boolean {
  return (
    !(start > 0 && isAsciiLetter(units[start - 1] as number)) && !(end < length && isAsciiLetter(units[end] as number))
  );
}

/** Accented letters, and letters of other scripts that look like Latin ones. */
const WIDE = wide();

function wide(): Uint8Array {
  const table = new Uint8Array(65_536);
  for (let unit = 0x80; unit < 0x10000; unit++) {
    const plain = unit < 0x250 ? String.fromCharCode(unit).normalize('NFD').charCodeAt(0) : 0;
    const ascii = plain > 0 && plain < 0x80 ? plain : (ASCII_LOOK_ALIKES[unit] as number);
    table[unit] = PLAIN_LETTERS[ascii] ?? 0;
  }
  return table;
}
