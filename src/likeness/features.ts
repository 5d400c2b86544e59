import { conceptOf } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { wordsOf } from './stems.ts';
import { tongueOf } from './tongue.ts';
import type { Tongue } from './tongue.ts';
import { conceptKey, MAX_CONCEPT_DISTANCE, pairKey, REPEAT_DISTANCE, tripleKey, weightPlaceOf } from './words.ts';

/**
 * What counts about each word, in the plain way: for the trainer, and to test the scorer, which does the same in one
 * pass without a list.
 */
export interface WordFeatures {
  /** The place of the word itself. */
  readonly place: number;
  /**
   * Up to six places of weights: the word, the word behind the one or two before, its concept, and its concept behind
   * the one or two before. Those that occurred within the last REPEAT_DISTANCE words are left out.
   */
  readonly places: readonly number[];
  /** What the word says of the language of the text. */
  readonly tongue: Tongue;
  readonly start: number;
  readonly end: number;
}

export function featuresOf(bytes: Uint8Array, lexicon: Lexicon): readonly WordFeatures[] {
  const words: WordFeatures[] = [];
  const lastSeen = new Map<number, number>();
  let previous = 0;
  let beforePrevious = 0;
  let previousConcept = 0;
  let conceptBeforePrevious = 0;
  let conceptAt = -Infinity;
  for (const { stem, isAscii, start, end } of wordsOf(bytes)) {
    const pair = pairKey(previous, stem);
    const places = [weightPlaceOf(stem), weightPlaceOf(pair), weightPlaceOf(tripleKey(beforePrevious, previous, stem))];
    // The key of a first word behind none is that of another word: of "ti", five letters on, for "td".
    const concept = conceptOf(lexicon, stem) || (previous === 0 ? 0 : conceptOf(lexicon, pair));
    beforePrevious = previous;
    previous = stem;
    if (concept !== 0) {
      if (words.length - conceptAt > MAX_CONCEPT_DISTANCE) previousConcept = conceptBeforePrevious = 0;
      conceptAt = words.length;
      if (concept !== previousConcept) {
        places.push(weightPlaceOf(conceptKey(0, 0, concept)));
        if (previousConcept !== 0) places.push(weightPlaceOf(conceptKey(0, previousConcept, concept)));
        if (conceptBeforePrevious !== 0)
          places.push(weightPlaceOf(conceptKey(conceptBeforePrevious, previousConcept, concept)));
        conceptBeforePrevious = previousConcept;
        previousConcept = concept;
      }
    }
    const isNew = (place: number): boolean => {
      const at = lastSeen.get(place) ?? -Infinity;
      lastSeen.set(place, words.length);
      return words.length - at > REPEAT_DISTANCE;
    };
    words.push({
      place: weightPlaceOf(stem),
      places: places.filter(isNew),
      tongue: tongueOf(stem, isAscii),
      start,
      end,
    });
  }
  return words;
}
