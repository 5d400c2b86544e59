import { createHash } from 'node:crypto';
import { signsIn } from '../src/likeness/code-like.ts';
import { featuresOf } from '../src/likeness/features.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { LEAST_WORDS } from '../src/likeness/words.ts';
import type { Row } from './corpora.ts';
import { isAttack } from './courses.ts';
import type { Course } from './courses.ts';

/** A row as the learner sees it: numbers in place of words. */
export interface Example {
  readonly row: Row;
  readonly attack: boolean;
  /** Whether it may be learnt from. All others are only scored. */
  readonly teaches: boolean;
  /** Of five parts, by its id, so that a row stays in its part when others come and go; beside its twin, which would tell of it. */
  readonly fold: number;
  /** Of all its readings, one behind the other. */
  readonly words: number;
  /** How many of the words come before the end of each reading: no window goes over it. */
  readonly ends: Int32Array;
  /** Below 1 for prompts of personas that break no rule, which somebody collected as attacks nevertheless. */
  readonly credence: number;
  /** SPREAD numbers per word, 0 where there is none; each stands for a place of weights. */
  readonly features: Int32Array;
  /** Signs of code behind each word, up to the next one. */
  readonly signs: Uint16Array;
}

export const SPREAD = 6;
export const FOLDS = 5;
const TWIN = /-twin$/;
const DOUBTED = 0.5;

/** Rarer than that a word is a name or a typing mistake, and whatever it was learnt to mean is chance. */
const LEAST_TEXTS = 3;
const PLACES = 1 << 24;

export interface Examples {
  readonly course: Course;
  readonly all: readonly Example[];
  /** The place of each number that examples speak of. */
  readonly places: Int32Array;
  /** In how many texts it occurs. */
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
