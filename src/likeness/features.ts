import { conceptOf } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import {
  APART,
  CODE,
  conceptKey,
  KIND,
  letterOnto,
  MORE,
  pairKey,
  placeOf,
  REACH,
  SAID,
  SIGN,
  STEM,
  tripleKey,
} from './words.ts';

/**
 * What counts about each word, in the plain way: for the trainer, and to test the scorer, which does the same in one
 * pass without a list.
 */
export interface Word {
  /** The place of the word itself. */
  readonly place: number;
  /**
   * Up to six places of weights: the word, the word behind the one or two before, its concept, and its concept behind
   * the one or two before. Those that occurred within the last SAID words are left out.
   */
  readonly places: readonly number[];
  readonly start: number;
  readonly end: number;
}

export function featuresOf(bytes: Uint8Array, lexicon: Lexicon): readonly Word[] {
  const words: Word[] = [];
  const last = new Map<number, number>();
  let before = 0;
  let first = 0;
  let concept = 0;
  let firstConcept = 0;
  let conceptAt = -Infinity;
  for (const { stem, start, end } of wordsOf(bytes)) {
    const places = [placeOf(stem), placeOf(pairKey(before, stem)), placeOf(tripleKey(first, before, stem))];
    first = before;
    before = stem;
    const found = conceptOf(lexicon, stem);
    if (found !== 0) {
      if (words.length - conceptAt > REACH) concept = firstConcept = 0;
      conceptAt = words.length;
      if (found !== concept) {
        places.push(placeOf(conceptKey(0, 0, found)));
        if (concept !== 0) places.push(placeOf(conceptKey(0, concept, found)));
        if (firstConcept !== 0) places.push(placeOf(conceptKey(firstConcept, concept, found)));
        firstConcept = concept;
        concept = found;
      }
    }
    const isNew = (place: number): boolean => {
      const at = last.get(place) ?? -Infinity;
      last.set(place, words.length);
      return words.length - at > SAID;
    };
    words.push({ place: placeOf(stem), places: places.filter(isNew), start, end });
  }
  return words;
}

function wordsOf(bytes: Uint8Array): { stem: number; start: number; end: number }[] {
  const words: { stem: number; start: number; end: number }[] = [];
  let stem = 0;
  let characters = 0;
  let start = 0;
  const close = (end: number): void => {
    if (characters > 0) words.push({ stem, start, end });
    stem = characters = 0;
  };
  for (const [at, byte] of bytes.entries()) {
    const kind = KIND[byte]!;
    if (kind === APART || kind === SIGN) close(at);
    if (kind === APART || (kind === MORE && characters === 0)) continue;
    if (characters === 0) start = at;
    if (kind !== MORE) characters += 1;
    if (characters <= STEM) stem = letterOnto(stem, CODE[byte]!);
  }
  close(bytes.length);
  return words;
}
