import type { Category } from '../domain/verdict.ts';
import { codeLike, signsIn } from './code-like.ts';
import { createLexicon, firstPlace } from './lexicon.ts';
import type { Weights } from './weights.ts';
import { HEAD } from './weights.ts';
import {
  APART,
  conceptKey,
  FOLDED,
  KIND,
  LETTER,
  letterOnto,
  MORE,
  pairKey,
  placeOf,
  REACH,
  SIGN,
  SILENT_WORDS,
  STEM,
  STEP,
  tripleKey,
  WINDOW,
} from './words.ts';

/** How much a text looks like the attacks the model was shown, and which kind it looks most like. */
export interface Resemblance {
  readonly confidence: number;
  readonly category: Extract<Category, 'prompt-injection' | 'jailbreak'>;
}

export interface Likeness {
  /** Null when the text is worth no finding. Reads `bytes[from..to)` once, and a window of it again when it is. */
  readonly of: (bytes: Uint8Array, from: number, to: number) => Resemblance | null;
  /** The score by itself, before the look of code is taken off and it becomes a confidence: for the tests. */
  readonly scoreOf: (bytes: Uint8Array, from: number, to: number) => number;
}

/** What a byte is, in one look: its folded form, and above that what may be done with it. */
const BEGINS = 0x100;
const GOES_ON = 0x200;
const COUNTS = 0x400;
const CODES = Uint16Array.from({ length: 256 }, (_, byte) => {
  const kind = KIND[byte]!;
  const may =
    (kind === LETTER || kind === SIGN ? BEGINS : 0) |
    (kind === LETTER || kind === MORE ? GOES_ON : 0) |
    (kind === MORE ? 0 : COUNTS);
  return kind === APART ? 0 : FOLDED[byte]! | may;
});

/** Behind the last character of a stem, counted as the codes do. */
const STEM_END = (STEM + 1) * COUNTS;

/** 0 when the slot holds another key's weight; by a mask, for the same reason. */
function weightAt(slots: Uint16Array, place: number): number {
  const entry = slots[place >>> 8]!;
  return ((entry << 24) >> 24) & ((((entry >>> 8) ^ (place & 0xff)) - 1) >> 31);
}

/**
 * A sum per step of words, a window of a few steps, and the best window wins, so that an attack inside a long text counts
 * as much as by itself. Sums instead of sets: what repeats counts again, but a window is short, and a set would have to
 * be emptied for every text. Everything is kept in locals and two small arrays made once; nothing is allocated.
 */
export function createLikeness({ header, slots, head }: Weights): Likeness {
  const { stems, concepts } = createLexicon();
  const mask = stems.length - 1;
  const sums = new Int32Array(WINDOW / STEP);
  const starts = new Int32Array(WINDOW / STEP);
  const { bias, unit, headBias, calibration } = header;
  let bestFrom = 0;
  let bestTo = 0;

  function scoreOf(bytes: Uint8Array, begin: number, end: number): number {
    // Every constant is copied to a local, which the engine folds into the code; `| 0` keeps positions whole numbers to it.
    const codes = CODES;
    const begins = BEGINS | 0;
    const goesOn = GOES_ON | 0;
    const counts = COUNTS | 0;
    const step = STEP | 0;
    const window = WINDOW | 0;
    const blocks = (WINDOW / STEP) | 0;
    const stemEnd = STEM_END | 0;
    const from = begin | 0;
    const to = end | 0;
    let first = 0;
    let before = 0;
    let concept = 0;
    let firstConcept = 0;
    let conceptAt = -1000;
    let words = 0;
    let inStep = 0;
    let block = blocks - 1;
    let inWindow = 0;
    let best = -2_000_000_000;
    bestFrom = from;
    bestTo = to;
    for (let i = 0; i < blocks; i += 1) {
      sums[i] = 0;
      starts[i] = from;
    }
    let at = from;
    for (;;) {
      // What stands between words; a byte that only goes on with a character goes on with none here.
      while (at < to && (codes[bytes[at]!]! & begins) === 0) at += 1;
      if (at >= to) break;
      const start = at;
      let code = codes[bytes[at]!]!;
      let hash = letterOnto(0, code & 0xff);
      let stem = hash;
      let characters = counts;
      at += 1;
      while (at < to) {
        code = codes[bytes[at]!]!;
        if ((code & goesOn) === 0) break;
        hash = letterOnto(hash, code & 0xff);
        characters += code & counts;
        // All ones while the stem still grows: a mask, since where words end cannot be foreseen and a wrong guess is dear.
        const grows = (characters - stemEnd) >> 31;
        stem = (hash & grows) | (stem & ~grows);
        at += 1;
      }

      if (inStep === 0) {
        inStep = step;
        block = (block + 1) & (blocks - 1);
        // The oldest step leaves the window, which was full before this word.
        if (words >= window && inWindow > best) {
          best = inWindow;
          bestFrom = starts[block]!;
          bestTo = start;
        }
        inWindow -= sums[block]!;
        sums[block] = 0;
        starts[block] = start;
      }
      inStep -= 1;
      let sum =
        weightAt(slots, placeOf(hash)) +
        weightAt(slots, placeOf(pairKey(before, stem))) +
        weightAt(slots, placeOf(tripleKey(first, before, stem)));
      first = before;
      before = stem;
      let look = firstPlace(stem);
      let there = stems[look]!;
      while (there !== 0 && there !== stem) {
        look = (look + 1) & mask;
        there = stems[look]!;
      }
      if (there !== 0) {
        const found = concepts[look]!;
        if (words - conceptAt > REACH) concept = firstConcept = 0;
        conceptAt = words;
        if (found !== concept) {
          sum += weightAt(slots, placeOf(conceptKey(0, 0, found)));
          if (concept !== 0) sum += weightAt(slots, placeOf(conceptKey(0, concept, found)));
          if (firstConcept !== 0) sum += weightAt(slots, placeOf(conceptKey(firstConcept, concept, found)));
          firstConcept = concept;
          concept = found;
        }
      }
      inWindow += sum;
      sums[block]! += sum;
      words += 1;
    }
    if (words === 0) return bias;
    // The last window may hold fewer words; all others are full, so that only their sums had to be compared.
    const last = words <= window ? words : window - inStep;
    const ofLast = inWindow / Math.sqrt(last + SILENT_WORDS);
    const ofBest = best / Math.sqrt(WINDOW + SILENT_WORDS);
    if (words > window && ofBest > ofLast) return bias + unit * ofBest;
    bestFrom = words <= window ? from : starts[(block + 1) & (blocks - 1)]!;
    bestTo = to;
    return bias + unit * ofLast;
  }

  /** Of the window that counted, word by word: how many there are, and of which kind they speak. */
  function lookAgain(bytes: Uint8Array, from: number, to: number): { words: number; isJailbreak: boolean } {
    const codes = CODES;
    let sum = headBias;
    let at = from;
    for (let words = 0; ; words += 1) {
      while (at < to && (codes[bytes[at]!]! & BEGINS) === 0) at += 1;
      if (at >= to) return { words, isJailbreak: sum > 0 };
      let hash = letterOnto(0, codes[bytes[at]!]! & 0xff);
      for (at += 1; at < to && (codes[bytes[at]!]! & GOES_ON) !== 0; at += 1)
        hash = letterOnto(hash, codes[bytes[at]!]! & 0xff);
      sum += head[placeOf(hash) % HEAD]!;
    }
  }

  return {
    scoreOf,
    of(bytes, from, to) {
      const score = scoreOf(bytes, from, to);
      if (confidenceOf(calibration, score) === 0) return null;
      const { words, isJailbreak } = lookAgain(bytes, bestFrom, bestTo);
      const confidence = confidenceOf(calibration, score - codeLike(words, signsIn(bytes, bestFrom, bestTo)));
      return confidence === 0 ? null : { confidence, category: isJailbreak ? 'jailbreak' : 'prompt-injection' };
    },
  };
}

/** Straight lines between the points that were measured; as sure as the last beyond it. */
export function confidenceOf(calibration: Weights['header']['calibration'], score: number): number {
  for (let i = calibration.length - 1; i >= 0; i -= 1) {
    const [from, sure] = calibration[i]!;
    if (score < from) continue;
    const next = calibration[i + 1];
    if (next === undefined) return sure;
    const share = (score - from) / (next[0] - from);
    return Math.round((sure + share * (next[1] - sure)) * 1e3) / 1e3;
  }
  return 0;
}
