import { isWord, spaced } from '../words.ts';

/** Letters that were spelled out one by one, and the text between each two. */
export interface Spelling {
  readonly letters: string;
  /** One fewer than the letters. */
  readonly gaps: readonly string[];
}

/**
 * Joins spelled-out letters. The most common gap separates letters, any other gap separates words. If there is only one
 * gap, or the others were inserted at random to mislead, the word boundaries are guessed.
 */
export function worded({ letters, gaps }: Spelling): string {
  const counts = new Map<string, number>();
  for (const gap of gaps) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  if (counts.size < 2) return spaced(letters);
  const [usual] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most));
  let plain = letters.charAt(0);
  for (const [at, gap] of gaps.entries()) plain += (gap === usual ? '' : ' ') + letters.charAt(at + 1);
  const words = plain.split(' ');
  return words.filter(isWord).length * 2 >= words.length ? plain : spaced(letters);
}
