import { editDistance } from '../domain/edit-distance.ts';

/** The candidate that a mistyped word most likely means, or null: a wrong guess is worse than none. */
export function closest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_WORD) return null;
  const typed = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

const MAX_WORD = 100;
