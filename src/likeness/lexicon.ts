import { createHash } from 'node:crypto';
import { CHARACTER_CONCEPTS } from './character-concepts.ts';
import { CONCEPTS } from './concepts.ts';
import { stemOf } from './stems.ts';
import { pairKey, weightPlaceOf } from './words.ts';

/**
 * Which concept a stem stands for, or two stems that stand side by side. With open addressing, so that asking about a
 * word of no concept is mostly one look at one place.
 */
export interface Lexicon {
  readonly stems: Int32Array;
  readonly concepts: Uint8Array;
}

/** A power of two, between three and four times the number of words. */
const TABLE_SIZE = 8192;

/**
 * Where the search for a stem begins: a place that kernel/likeness.ts has computed anyway, for the weight of the stem.
 */
function firstPlace(stem: number): number {
  return weightPlaceOf(stem) & (TABLE_SIZE - 1);
}

export function createLexicon(): Lexicon {
  const lexicon = { stems: new Int32Array(TABLE_SIZE), concepts: new Uint8Array(TABLE_SIZE) };
  for (const [index, name] of namesOfConcepts.entries()) {
    for (const word of CONCEPTS[name].split(' ')) add(lexicon, stemOf(word), index + 1);
    for (const [first, second] of CHARACTER_CONCEPTS[name].split(' '))
      add(lexicon, pairKey(stemOf(first!), stemOf(second!)), index + 1);
  }
  return lexicon;
}

const namesOfConcepts = Object.keys(CONCEPTS) as readonly (keyof typeof CONCEPTS)[];

/** The concept that lists a word first is the one it belongs to. */
function add({ stems, concepts }: Lexicon, key: number, concept: number): void {
  if (key === 0) return;
  let place = firstPlace(key);
  while (stems[place] !== 0 && stems[place] !== key) place = (place + 1) & (TABLE_SIZE - 1);
  if (stems[place] === key) return;
  stems[place] = key;
  concepts[place] = concept;
}

/** Of a stem, or of a pair of them; 0 for none. */
export function conceptOf({ stems, concepts }: Lexicon, key: number): number {
  for (let place = firstPlace(key); ; place = (place + 1) & (TABLE_SIZE - 1)) {
    const there = stems[place]!;
    if (there === key) return concepts[place]!;
    if (there === 0) return 0;
  }
}

/**
 * Weights only fit the concepts with which they were learned: a word moved from one concept to another would silently
 * change what they mean.
 */
export function lexiconChecksum(): string {
  return createHash('sha256')
    .update(JSON.stringify([CONCEPTS, CHARACTER_CONCEPTS]))
    .digest('hex');
}
