import type { Category } from '../domain/verdict.ts';
import { codeLike, signsIn } from './code-like.ts';
import { createLexicon, firstPlace } from './lexicon.ts';
import { createStems, pieceEnd } from './stems.ts';
import type { Weights } from './weights.ts';
import { HEAD } from './weights.ts';
import {
  CODE,
  conceptKey,
  COUNTS,
  LEAST_WORDS,
  letterOnto,
  pairKey,
  placeOf,
  REACH,
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

/** 0 when the slot holds another key's weight; by a mask, since that cannot be foreseen and a wrong guess is dear. */
function weightAt(slots: Uint16Array, place: number): number {
  const entry = slots[place >>> 8]!;
  return ((entry << 24) >> 24) & ((((entry >>> 8) ^ (place & 0xff)) - 1) >> 31);
}

/**
 * A sum per step of words, a window of a few steps, and the best window wins, so that an attack inside a long text counts
 * as much as by itself. Sums instead of sets: what repeats counts again, but a window is short, and a set would have to
 * be emptied for every text. Everything is kept in locals and small arrays made once; nothing is allocated.
 */
export function createLikeness({ header, slots, head }: Weights): Likeness {
  const lexicon = createLexicon();
  const stems = createStems();
  const sums = new Int32Array(WINDOW / STEP);
  const { bias, unit, headBias, calibration } = header;
  let bestFirst = 0;
  let bestWords = 0;

  function scoreOf(bytes: Uint8Array, from: number, to: number): number {
    // Constants are copied to locals, which the engine folds into the code; `| 0` keeps them whole numbers to it.
    const step = STEP | 0;
    const window = WINDOW | 0;
    const blocks = (WINDOW / STEP) | 0;
    const mask = (lexicon.stems.length - 1) | 0;
    const { stems: known, concepts } = lexicon;
    const stemOf = stems.of;
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
    let bestEnd = 0;
    sums.fill(0);
    for (let at = from; at < to;) {
      const end = pieceEnd(bytes, at, to);
      const count = stems.read(bytes, at, end);
      at = end;
      for (let i = 0; i < count; i += 1) {
        if (inStep === 0) {
          inStep = step;
          block = (block + 1) & (blocks - 1);
          // The oldest step leaves the window, which was full before this word.
          if (words >= window && inWindow > best) {
            best = inWindow;
            bestEnd = words;
          }
          inWindow -= sums[block]!;
          sums[block] = 0;
        }
        inStep -= 1;
        const stem = stemOf[i]!;
        let sum =
          weightAt(slots, placeOf(stem)) +
          weightAt(slots, placeOf(pairKey(before, stem))) +
          weightAt(slots, placeOf(tripleKey(first, before, stem)));
        first = before;
        before = stem;
        let look = firstPlace(stem);
        let there = known[look]!;
        while (there !== 0 && there !== stem) {
          look = (look + 1) & mask;
          there = known[look]!;
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
    }
    // The last window may hold fewer words; all others are full, so that only their sums had to be compared.
    const last = words <= window ? words : window - inStep;
    const ofLast = inWindow / Math.sqrt(last + SILENT_WORDS);
    const ofBest = best / Math.sqrt(WINDOW + SILENT_WORDS);
    const isBefore = words > window && ofBest > ofLast;
    bestWords = isBefore ? window : last;
    bestFirst = (isBefore ? bestEnd : words) - bestWords;
    return bias + unit * (isBefore ? ofBest : ofLast);
  }

  /** Of the window that counted, found again word by word: what it looks like and of which kind it speaks. Few come to this. */
  function lookAgain(bytes: Uint8Array, from: number, to: number): { dearer: number; isJailbreak: boolean } {
    let sum = headBias;
    let word = -1 - bestFirst;
    let [begin, end] = [to, to];
    let stem = 0;
    let characters = 0;
    for (let at = from; at <= to; at += 1) {
      const code = at < to ? CODE[bytes[at]!]! : 0;
      if (characters > 0 && code >= 0) {
        if (word >= 0) sum += head[placeOf(stem) % HEAD]!;
        stem = characters = 0;
      }
      if (characters === 0 && (code & COUNTS) !== 0) {
        word += 1;
        if (word === 0) begin = at;
        if (word === bestWords) {
          end = at;
          break;
        }
      }
      if ((code & COUNTS) !== 0) characters += 1;
      if (characters > 0 && characters <= STEM) stem = letterOnto(stem, code);
    }
    return { dearer: codeLike(bestWords, signsIn(bytes, begin, end)), isJailbreak: sum > 0 };
  }

  return {
    scoreOf,
    of(bytes, from, to) {
      const score = scoreOf(bytes, from, to);
      if (bestWords < LEAST_WORDS || confidenceOf(calibration, score) === 0) return null;
      const { dearer, isJailbreak } = lookAgain(bytes, from, to);
      const confidence = confidenceOf(calibration, score - dearer);
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
