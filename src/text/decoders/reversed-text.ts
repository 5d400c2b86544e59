import { isBlank } from '../units.ts';

/** From the last character to the first, pairs of surrogates whole. */
export function inReverse(text: string): string {
  return [...text].reverse().join('');
}

/** Whatever stands between two blanks, signs and all: they may stand for letters, or be what an escape begins with. */
export function wordsReversed(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = at;
    while (end < text.length && !isBlank(text.charCodeAt(end))) end++;
    parts.push(inReverse(text.slice(at, end)), text.charAt(end));
    at = end + 1;
  }
  return parts.join('');
}
