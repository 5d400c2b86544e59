import { createHash } from 'node:crypto';
import { countCodeSigns } from '../src/likeness/code-like.ts';
import { featuresOf } from '../src/likeness/features.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { MIN_WORDS } from '../src/likeness/words.ts';
import type { Row } from './corpora.ts';
import { isAttack } from './model-setups.ts';
import type { ModelSetup } from './model-setups.ts';

/** A row in the form that training uses: numbers instead of words. */
export interface Example {
  readonly row: Row;
  readonly isAttack: boolean;
  /** Whether it is used for training. All others are only scored. */
  readonly isTrainedOn: boolean;
  /**
   * One of five folds, chosen by the id, so that a row stays in its fold when rows are added. A twin is in the same
   * fold, because it would give the row away.
   */
  readonly fold: number;
  /** The number of words of all its readings together. */
  readonly words: number;
  /** The word offset at the end of each reading. No window crosses it. */
  readonly readingEnds: Int32Array;
  /** A weight below 1 for persona prompts that break no rule but were collected as attacks. */
  readonly labelTrust: number;
  /** FEATURES_PER_WORD numbers per word, 0 for none. Each number stands for a place in the weights. */
  readonly features: Int32Array;
  /** The signs of code between each word and the next. */
  readonly signs: Uint16Array;
  /** What each word says of the language. */
  readonly tongues: Uint8Array;
}

export const FEATURES_PER_WORD = 6;
export const FOLDS = 5;
const TWIN = /-twin$/;
const WEAK_LABEL_TRUST = 0.5;

/** A word in fewer texts is a name or a typo, and any weight that it gets is chance. */
const MIN_TEXTS = 3;
const PLACE_COUNT = 1 << 24;

export interface Examples {
  readonly setup: ModelSetup;
  readonly all: readonly Example[];
  /** The place in the weights of each number. */
  readonly places: Int32Array;
  /** The number of texts in which each number occurs. */
  readonly textCounts: Uint16Array;
}

export function examplesOf(
  rows: readonly Row[],
  texts: readonly (readonly Uint8Array[])[],
  lexicon: Lexicon,
  setup: ModelSetup,
): Examples {
  const isTrainedOn = (row: Row): boolean => !row.measuredOnly && setup.trainsOn(row);
  const signs: Uint16Array[] = [];
  const tongues: Uint8Array[] = [];
  const ends: Int32Array[] = [];
  const words = texts.map((readings) => {
    const places: (readonly number[])[] = [];
    const signsOfRow: number[] = [];
    const tonguesOfRow: number[] = [];
    const endsOfRow: number[] = [];
    for (const bytes of readings) {
      const read = featuresOf(bytes, lexicon);
      if (read.length < MIN_WORDS) continue;
      for (const [i, word] of read.entries()) {
        places.push(word.places);
        tonguesOfRow.push(word.tongue);
        signsOfRow.push(countCodeSigns(bytes, word.start, read[i + 1]?.start ?? bytes.length));
      }
      endsOfRow.push(places.length);
    }
    signs.push(Uint16Array.from(signsOfRow));
    tongues.push(Uint8Array.from(tonguesOfRow));
    ends.push(Int32Array.from(endsOfRow));
    return places;
  });
  const textsWith = new Uint16Array(PLACE_COUNT);
  const lastIn = new Int32Array(PLACE_COUNT).fill(-1);
  for (const [i, row] of rows.entries()) {
    if (!isTrainedOn(row)) continue;
    for (const places of words[i]!) {
      for (const place of places) {
        if (lastIn[place] === i) continue;
        lastIn[place] = i;
        if (textsWith[place]! < 65_535) textsWith[place]! += 1;
      }
    }
  }
  const numbers = new Int32Array(PLACE_COUNT);
  let count = 0;
  for (let place = 0; place < PLACE_COUNT; place += 1)
    if (textsWith[place]! >= MIN_TEXTS) {
      count += 1;
      numbers[place] = count;
    }
  const places = new Int32Array(count + 1);
  const textCounts = new Uint16Array(count + 1);
  for (let place = 0; place < PLACE_COUNT; place += 1) {
    const number = numbers[place]!;
    if (number === 0) continue;
    places[number] = place;
    textCounts[number] = textsWith[place]!;
  }
  const all = rows.map((row, i): Example => {
    const wordsOfRow = words[i]!;
    const features = new Int32Array(wordsOfRow.length * FEATURES_PER_WORD);
    for (const [w, word] of wordsOfRow.entries())
      for (const [k, place] of word.entries()) features[w * FEATURES_PER_WORD + k] = numbers[place]!;
    const fold = createHash('sha256').update(row.id.replace(TWIN, '')).digest()[0]! % FOLDS;
    const labelTrust = row.subtype === 'in-the-wild/weak-label' ? WEAK_LABEL_TRUST : 1;
    return {
      row,
      isAttack: isAttack(row),
      isTrainedOn: isTrainedOn(row),
      labelTrust,
      fold,
      words: wordsOfRow.length,
      readingEnds: ends[i]!,
      features,
      signs: signs[i]!,
      tongues: tongues[i]!,
    };
  });
  return { setup, all, places, textCounts };
}
