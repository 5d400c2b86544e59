import { LETTERS, TRIE } from './words.ts';

/**
 * Splits letters without blanks into known words: the fewest and longest words that cover most letters. Same algorithm
 * as `spaced` in words.ts, but on code units and without a string for each word, since nearly all results are thrown
 * away.
 */

/** The cost of a letter outside every word, which is more than that of a whole word. */
const STRAY = 2;
/** More letters than any caller splits at once. */
export const MOST_LETTERS = 4096;
const COST = new Uint32Array(MOST_LETTERS + 1);
/**
 * The result of the last `cut`: for each letter the length of the word that begins there, 0 for a letter in no word.
 */
export const STEPS = new Uint8Array(MOST_LETTERS + 1);

/** Splits ASCII letters, at most MOST_LETTERS of them. The result is in STEPS. */
export function cut(units: Uint16Array, start: number, end: number): void {
  const size = end - start;
  COST[size] = 0;
  for (let i = size - 1; i >= 0; i--) {
    let least = (COST[i + 1] as number) + STRAY;
    let step = 0;
    let node = 0;
    for (let j = i; j < size; j++) {
      node = TRIE[node * LETTERS + ((units[start + j] as number) | 32) - 97] as number;
      if (node === 0) break;
      if (TRIE[node * LETTERS + 26] === 0) continue;
      const through = (COST[j + 1] as number) + 1;
      if (through > least) continue;
      least = through;
      step = j + 1 - i;
    }
    COST[i] = least;
    STEPS[i] = step;
  }
}

/** Calls `tell` for each word of the last `cut`, and for the letters between words. */
export function eachSegment(size: number, tell: (from: number, to: number, isWord: boolean) => void): void {
  let stray = 0;
  for (let i = 0; i < size;) {
    const step = STEPS[i] as number;
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
