import { createHash } from 'node:crypto';
import { signsIn } from '../src/likeness/code-like.ts';
import { featuresOf } from '../src/likeness/features.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import type { Corpus, Row } from './corpora.ts';

/** A row as the learner sees it: numbers in place of words. */
export interface Example {
  readonly row: Row;
  readonly attack: boolean;
  /** Whether it may be learnt from. All others are only scored. */
  readonly teaches: boolean;
  /** Of five parts, by its id, so that a row stays in its part when others come and go. */
  readonly fold: number;
  readonly words: number;
  /** Below 1 for prompts of personas that break no rule, which somebody collected as attacks nevertheless. */
  readonly credence: number;
  /** SPREAD numbers per word, 0 where there is none; each stands for a place of weights. */
  readonly features: Int32Array;
  /** Signs of code behind each word, up to the next one. */
  readonly signs: Uint16Array;
}

export const SPREAD = 6;
export const FOLDS = 5;
const DOUBTED = 0.5;

const ATTACKS: ReadonlySet<string> = new Set(['prompt-injection', 'jailbreak', 'encoding-evasion']);

/**
 * Labels that would teach something false: attacks that are only attacks where they stand, and text that is an attack for
 * how it is encoded, which is read by decoders and not by words.
 */
function misleads({ corpus, label }: Row): boolean {
  return (corpus === 'ipi_bipia_train' && label !== 'benign') || label === 'encoding-evasion';
}

/** Rarer than that a word is a name or a typing mistake, and whatever it was learnt to mean is chance. */
const LEAST_TEXTS = 3;
const PLACES = 1 << 24;

export interface Examples {
  readonly all: readonly Example[];
  /** The place of each number that examples speak of. */
  readonly places: Int32Array;
  /** In how many texts it occurs. */
  readonly texts: Uint16Array;
}

export function examplesOf(corpora: readonly Corpus[], lexicon: Lexicon): Examples {
  const rows = corpora.flatMap((corpus) => corpus.rows);
  const signs: Uint16Array[] = [];
  const words = rows.map(({ text }) => {
    const bytes = Buffer.from(text);
    const read = featuresOf(bytes, lexicon);
    signs.push(Uint16Array.from(read, ({ start }, i) => signsIn(bytes, start, read[i + 1]?.start ?? bytes.length)));
    return read.map(({ places }) => places);
  });
  const known = new Uint16Array(PLACES);
  const lastIn = new Int32Array(PLACES).fill(-1);
  for (const [i, row] of rows.entries()) {
    if (row.measuredOnly || misleads(row)) continue;
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
  const texts = new Uint16Array(count + 1);
  for (let place = 0; place < PLACES; place += 1) {
    const number = numbers[place]!;
    if (number === 0) continue;
    places[number] = place;
    texts[number] = known[place]!;
  }
  const all = rows.map((row, i): Example => {
    const mine = words[i]!;
    const features = new Int32Array(mine.length * SPREAD);
    for (const [w, word] of mine.entries())
      for (const [k, place] of word.entries()) features[w * SPREAD + k] = numbers[place]!;
    const fold = createHash('sha256').update(row.id).digest()[0]! % FOLDS;
    const teaches = !row.measuredOnly && !misleads(row);
    const credence = row.subtype === 'in-the-wild/weak-label' ? DOUBTED : 1;
    return {
      row,
      attack: ATTACKS.has(row.label),
      teaches,
      credence,
      fold,
      words: mine.length,
      features,
      signs: signs[i]!,
    };
  });
  return { all, places, texts };
}
