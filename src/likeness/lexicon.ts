import { createHash } from 'node:crypto';
import { CONCEPTS } from './concepts.ts';
import { APART, CODE, KIND, letterOnto, MORE, placeOf, SIGN, STEM } from './words.ts';

/**
 * Which concept a stem stands for. With open addressing, so that asking about a word of no concept is one look at one
 * place.
 */
export interface Lexicon {
  readonly stems: Int32Array;
  readonly concepts: Uint8Array;
}

/** A power of two, eight times the number of words: next to no stem takes a second look. */
const PLACES = 8192;

/**
 * Where the search for a stem begins: a place that kernel/likeness.ts has computed anyway, for the weight of the stem.
 */
function firstPlace(stem: number): number {
  return placeOf(stem) & (PLACES - 1);
}

export function createLexicon(): Lexicon {
  const stems = new Int32Array(PLACES);
  const concepts = new Uint8Array(PLACES);
  for (const [index, listed] of Object.values(CONCEPTS).entries()) {
    for (const word of listed.split(' ')) {
      const stem = stemOf(Buffer.from(word));
      if (stem === 0) continue;
      let place = firstPlace(stem);
      while (stems[place] !== 0 && stems[place] !== stem) place = (place + 1) & (PLACES - 1);
      if (stems[place] === stem) continue;
      stems[place] = stem;
      concepts[place] = index + 1;
    }
  }
  return { stems, concepts };
}

export function conceptOf({ stems, concepts }: Lexicon, stem: number): number {
  for (let place = firstPlace(stem); ; place = (place + 1) & (PLACES - 1)) {
    const there = stems[place]!;
    if (there === stem) return concepts[place]!;
    if (there === 0) return 0;
  }
}

/** The stem of the first word. */
function stemOf(bytes: Uint8Array): number {
  let hash = 0;
  let characters = 0;
  for (const byte of bytes) {
    const kind = KIND[byte]!;
    if (kind === APART || (kind === SIGN && characters > 0)) break;
    if (kind === MORE && characters === 0) continue;
    if (kind !== MORE) characters += 1;
    if (characters > STEM) break;
    hash = letterOnto(hash, CODE[byte]!);
  }
  return hash;
}

/**
 * Weights only fit the concepts with which they were learned: a word moved from one concept to another would silently
 * change what they mean.
 */
export function lexiconSum(): string {
  return createHash('sha256').update(JSON.stringify(CONCEPTS)).digest('hex');
}
