import { LETTERS, TRIE } from './words.ts';

/**
 * Splits letters without blanks into known words: the fewest and longest words that cover most letters. Same algorithm
 * as `spaced` in words.ts, but on code units and without a string for each word, since nearly all results are thrown
 * away.
 */

/** The cost of a letter outside every word, which is more than that of a whole word. */
const STRAY = 2;
/**
 * Letters are split so many at a time, however many there are: letters in front of a phrase must not hide it, and must
 * not take memory either.
 */
const AT_ONCE = 4096;
/** What is split once more with the letters that follow, as a word may end there: more than the longest word has. */
const OVERLAP = 64;
const COST = new Uint32Array(AT_ONCE + 1);
/** For each letter the length of the word that begins there, 0 for a letter in no word. */
const STEPS = new Uint8Array(AT_ONCE);

/** Calls `tell` for each word among ASCII letters, and for the letters between words. */
export function eachSegment(
  units: Uint16Array,
  start: number,
  end: number,
  tell: (from: number, to: number, isWord: boolean) => void,
): void {
  let stray = start;
  for (let at = start; at < end;) {
    const from = at;
    const to = Math.min(end, from + AT_ONCE);
    const last = to === end ? end : to - OVERLAP;
    cut(units, from, to);
    while (at < last) {
      const step = STEPS[at - from] as number;
      if (step === 0) {
        at++;
        continue;
      }
      if (stray < at) tell(stray, at, false);
      tell(at, at + step, true);
      at += step;
      stray = at;
    }
  }
  if (stray < end) tell(stray, end, false);
}

/** How many words the letters are if all of them are in words, else 0. */
export function wordsIfAll(units: Uint16Array, start: number, end: number): number {
  let words = 0;
  let isAll = true;
  eachSegment(units, start, end, (_from, _to, isWord) => {
    words++;
    isAll &&= isWord;
  });
  return isAll ? words : 0;
}

/** At most AT_ONCE letters. */
function cut(units: Uint16Array, start: number, end: number): void {
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
