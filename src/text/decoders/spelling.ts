import { isWord, spaced } from '../words.ts';

/** Letters that were spelled out one by one, and what stood between each and the next. */
export interface Spelling {
  readonly letters: string;
  /** One fewer than the letters. */
  readonly gaps: readonly string[];
}

/**
 * The gap that comes most often parts letters, any other parts words. Where there is only one, or the others were strewn
 * about to mislead, the words are guessed.
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
