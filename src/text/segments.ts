import { LETTERS, TRIE } from './words.ts';

/**
 * Letters without blanks, cut into words that we know: the fewest and longest that cover most of them. As `spaced` does it,
 * but on code units and without a string for each word, since nearly all that is cut is thrown away.
 */

/** A letter outside every word costs more than a word. */
const STRAY = 2;
/** More letters than any caller cuts at once. */
export const MOST_LETTERS = 4096;
const COST = new Uint32Array(MOST_LETTERS + 1);
/** The length of the word that begins at each letter, 0 for a stray one. Of the last cut. */
export const STEPS = new Uint8Array(MOST_LETTERS + 1);

/** Only ASCII letters, at most MOST_LETTERS of them; the answer stands in STEPS. */
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

/** The words of the last cut and what is left between them, each from letter to letter. */
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
