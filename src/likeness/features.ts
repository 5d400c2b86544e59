import { conceptOf } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import {
  APART,
  conceptKey,
  FOLDED,
  KIND,
  letterOnto,
  MORE,
  pairKey,
  placeOf,
  REACH,
  SIGN,
  STEM,
  tripleKey,
} from './words.ts';

/**
 * What counts about each word, the plain way: for the trainer, and to hold the scorer against, which does the same in one
 * pass without a list.
 */
export interface Word {
  /** Up to six places of weights: the word, it behind the one or two before, its concept behind the one or two before. */
  readonly places: readonly number[];
  readonly start: number;
  readonly end: number;
}

export function featuresOf(bytes: Uint8Array, lexicon: Lexicon): readonly Word[] {
  const words: Word[] = [];
  let before = 0;
  let first = 0;
  let concept = 0;
  let firstConcept = 0;
  let conceptAt = -Infinity;
  for (const { hash, stem, start, end } of wordsOf(bytes)) {
    const places = [placeOf(hash), placeOf(pairKey(before, stem)), placeOf(tripleKey(first, before, stem))];
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
    words.push({ places, start, end });
  }
  return words;
}

function wordsOf(bytes: Uint8Array): { hash: number; stem: number; start: number; end: number }[] {
  const words: { hash: number; stem: number; start: number; end: number }[] = [];
  let hash = 0;
  let stem = 0;
  let characters = 0;
  let start = 0;
  const close = (end: number): void => {
    if (characters > 0) words.push({ hash, stem, start, end });
    hash = stem = characters = 0;
  };
  for (const [at, byte] of bytes.entries()) {
    const kind = KIND[byte]!;
    if (kind === APART || kind === SIGN) close(at);
    if (kind === APART || (kind === MORE && characters === 0)) continue;
    if (characters === 0) start = at;
    if (kind !== MORE) characters += 1;
    hash = letterOnto(hash, FOLDED[byte]!);
    if (characters <= STEM) stem = hash;
  }
  close(bytes.length);
  return words;
}
