import { createHash } from 'node:crypto';
import { CONCEPTS } from './concepts.ts';
import {
  BETWEEN_WORDS,
  BYTE_CODE,
  BYTE_KIND,
  addToHash,
  CONTINUATION,
  weightPlaceOf,
  CHARACTER_WORD,
  STEM_CHARACTERS,
} from './words.ts';

/**
 * Which concept a stem stands for. With open addressing, so that asking about a word of no concept is one look at one
 * place.
 */
export interface Lexicon {
  readonly stems: Int32Array;
  readonly concepts: Uint8Array;
}

/** A power of two, eight times the number of words: next to no stem takes a second look. */
const TABLE_SIZE = 8192;

/**
 * Where the search for a stem begins: a place that kernel/likeness.ts has computed anyway, for the weight of the stem.
 */
function firstPlace(stem: number): number {
  return weightPlaceOf(stem) & (TABLE_SIZE - 1);
}

export function createLexicon(): Lexicon {
  const stems = new Int32Array(TABLE_SIZE);
  const concepts = new Uint8Array(TABLE_SIZE);
  for (const [index, listed] of Object.values(CONCEPTS).entries()) {
    for (const word of listed.split(' ')) {
      const stem = stemOf(Buffer.from(word));
      if (stem === 0) continue;
      let place = firstPlace(stem);
      while (stems[place] !== 0 && stems[place] !== stem) place = (place + 1) & (TABLE_SIZE - 1);
      if (stems[place] === stem) continue;
      stems[place] = stem;
      concepts[place] = index + 1;
    }
  }
  return { stems, concepts };
}

export function conceptOf({ stems, concepts }: Lexicon, stem: number): number {
  for (let place = firstPlace(stem); ; place = (place + 1) & (TABLE_SIZE - 1)) {
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
    const kind = BYTE_KIND[byte]!;
    if (kind === BETWEEN_WORDS || (kind === CHARACTER_WORD && characters > 0)) break;
    if (kind === CONTINUATION && characters === 0) continue;
    if (kind !== CONTINUATION) characters += 1;
    if (characters > STEM_CHARACTERS) break;
    hash = addToHash(hash, BYTE_CODE[byte]!);
  }
  return hash;
}

/**
 * Weights only fit the concepts with which they were learned: a word moved from one concept to another would silently
 * change what they mean.
 */
export function lexiconChecksum(): string {
  return createHash('sha256').update(JSON.stringify(CONCEPTS)).digest('hex');
}
