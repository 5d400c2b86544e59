import { LETTERS, TRIE } from './words.ts';

/**
 * Splits letters without blanks into known words: the fewest and longest words that cover most letters. Same algorithm
 * as `spaced` in words.ts, but on code units and without a string for each word, since nearly all results are thrown
 * away.
 */

/** The cost of a letter outside every word, which is more than that of a whole word. */
const STRAY = 2;
let cost = new Uint32Array(4096);
/**
 * The result of the last `cut`: for each letter the length of the word that begins there, 0 for a letter in no word.
 */
let steps = new Uint8Array(4096);

/** Splits ASCII letters, however many there are: letters in front of a phrase must not hide it. */
export function cut(units: Uint16Array, start: number, end: number): void {
  const size = end - start;
  if (size >= cost.length) {
    cost = new Uint32Array(2 * size);
    steps = new Uint8Array(2 * size);
  }
  cost[size] = 0;
  for (let i = size - 1; i >= 0; i--) {
    let least = (cost[i + 1] as number) + STRAY;
    let step = 0;
    let node = 0;
    for (let j = i; j < size; j++) {
      node = TRIE[node * LETTERS + ((units[start + j] as number) | 32) - 97] as number;
      if (node === 0) break;
      if (TRIE[node * LETTERS + 26] === 0) continue;
      const through = (cost[j + 1] as number) + 1;
      if (through > least) continue;
      least = through;
      step = j + 1 - i;
    }
    cost[i] = least;
    steps[i] = step;
  }
}

/** Calls `tell` for each word of the last `cut`, and for the letters between words. */
export function eachSegment(size: number, tell: (from: number, to: number, isWord: boolean) => void): void {
  let stray = 0;
  for (let i = 0; i < size;) {
    const step = steps[i] as number;
    if (step === 0) {
      i++;
      continue;
    }
    if (stray < i) tell(stray, i, false);
    tell(i, i + step, true);
    i += step;
    stray = i;
  }
  if (stray < size) tell(stray, size, false);
}

/** How many words the last `cut` found if they cover all letters, else 0. */
export function wordsIfAll(size: number): number {
  let words = 0;
  for (let i = 0; i < size; words++) {
    const step = steps[i] as number;
    if (step === 0) return 0;
    i += step;
  }
  return words;
}
