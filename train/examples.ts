import { createHash } from 'node:crypto';
import { signsIn } from '../src/likeness/code-like.ts';
import { featuresOf } from '../src/likeness/features.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { LEAST_WORDS } from '../src/likeness/words.ts';
import type { Row } from './corpora.ts';
import { isAttack } from './courses.ts';
import type { Course } from './courses.ts';

/** A row in the form that training uses: numbers instead of words. */
export interface Example {
  readonly row: Row;
  readonly attack: boolean;
  /** Whether it is used for training. All others are only scored. */
  readonly teaches: boolean;
  /**
   * One of five folds, chosen by the id, so that a row stays in its fold when rows are added. A twin is in the same
   * fold, because it would give the row away.
   */
  readonly fold: number;
  /** The number of words of all its readings together. */
  readonly words: number;
  /** The word offset at the end of each reading. No window crosses it. */
  readonly ends: Int32Array;
  /** A weight below 1 for persona prompts that break no rule but were collected as attacks. */
  readonly credence: number;
  /** SPREAD numbers per word, 0 for none. Each number stands for a place in the weights. */
  readonly features: Int32Array;
  /** The signs of code between each word and the next. */
  readonly signs: Uint16Array;
}

export const SPREAD = 6;
export const FOLDS = 5;
const TWIN = /-twin$/;
const DOUBTED = 0.5;

/** A word in fewer texts is a name or a typo, and any weight that it gets is chance. */
const LEAST_TEXTS = 3;
const PLACES = 1 << 24;

export interface Examples {
  readonly course: Course;
  readonly all: readonly Example[];
  /** The place in the weights of each number. */
  readonly places: Int32Array;
  /** The number of texts in which each number occurs. */
  readonly texts: Uint16Array;
}

export function examplesOf(
  rows: readonly Row[],
  texts: readonly (readonly Uint8Array[])[],
  lexicon: Lexicon,
  course: Course,
): Examples {
  const teaches = (row: Row): boolean => !row.measuredOnly && course.teaches(row);
  const signs: Uint16Array[] = [];
  const ends: Int32Array[] = [];
  const words = texts.map((readings) => {
    const places: (readonly number[])[] = [];
    const signsOfRow: number[] = [];
    const endsOfRow: number[] = [];
    for (const bytes of readings) {
      const read = featuresOf(bytes, lexicon);
      if (read.length < LEAST_WORDS) continue;
      for (const [i, word] of read.entries()) {
        places.push(word.places);
        signsOfRow.push(signsIn(bytes, word.start, read[i + 1]?.start ?? bytes.length));
      }
      endsOfRow.push(places.length);
    }
    signs.push(Uint16Array.from(signsOfRow));
    ends.push(Int32Array.from(endsOfRow));
    return places;
  });
  const known = new Uint16Array(PLACES);
  const lastIn = new Int32Array(PLACES).fill(-1);
  for (const [i, row] of rows.entries()) {
    if (!teaches(row)) continue;
    for (const places of words[i]!) {
      for (const place of places) {
        if (lastIn[place] === i) continue;
        lastIn[place] = i;
        if (known[place]! < 65_535) known[place]! += 1;
      }
    }
  }
  const numbers = new Int32Array(PLACES);
  let count = 0;
  for (let place = 0; place < PLACES; place += 1)
    if (known[place]! >= LEAST_TEXTS) {
      count += 1;
      numbers[place] = count;
    }
  const places = new Int32Array(count + 1);
  const frequent = new Uint16Array(count + 1);
  for (let place = 0; place < PLACES; place += 1) {
    const number = numbers[place]!;
    if (number === 0) continue;
    places[number] = place;
    frequent[number] = known[place]!;
  }
  const all = rows.map((row, i): Example => {
    const mine = words[i]!;
    const features = new Int32Array(mine.length * SPREAD);
    for (const [w, word] of mine.entries())
      for (const [k, place] of word.entries()) features[w * SPREAD + k] = numbers[place]!;
    const fold = createHash('sha256').update(row.id.replace(TWIN, '')).digest()[0]! % FOLDS;
    const credence = row.subtype === 'in-the-wild/weak-label' ? DOUBTED : 1;
    return {
      row,
      attack: isAttack(row),
      teaches: teaches(row),
      credence,
      fold,
      words: mine.length,
      ends: ends[i]!,
      features,
      signs: signs[i]!,
    };
  });
  return { course, all, places, texts: frequent };
}
