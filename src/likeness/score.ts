import type { Category } from '../domain/verdict.ts';
import { codePenalty, countCodeSigns } from './code-like.ts';
import { isCorrection } from './corrections.ts';
import { isBlankBefore, lettersApartAround } from './letters-apart.ts';
import { createSums } from './sums.ts';
import type { Windows } from './sums.ts';
import { ABROAD, ENGLISH, isAbroad, tongueOf } from './tongue.ts';
import type { Weights } from './weights.ts';
import { HEAD_SIZE } from './weights.ts';
import {
  BYTE_CODE,
  MIN_WORDS,
  lettersOf,
  addToHash,
  weightPlaceOf,
  SILENT_WORDS,
  STEM_LETTERS,
  STEPS_PER_WINDOW,
} from './words.ts';

/** How much a text looks like the attacks that the model was trained on, and which kind it looks most like. */
export interface Resemblance {
  readonly confidence: number;
  readonly category: Extract<Category, 'prompt-injection' | 'jailbreak'>;
  /** The range of bytes that looks most like it. */
  readonly begin: number;
  readonly end: number;
}

export interface Likeness {
  /**
   * Null when the text is worth no finding. Reads `bytes[from..to)` once, and a window of it again when it may be worth
   * one.
   */
  readonly resemblanceOf: (bytes: Uint8Array, from: number, to: number) => Resemblance | null;
  /**
   * How far a text is from being worth a finding, in points of the score: 0 and less if it is. Single steps count like
   * wider windows here, so that one sentence is enough, however much else is said around it.
   */
  readonly lackIn: (bytes: Uint8Array, from: number, to: number) => number;
  /** The score alone, before what looking like code or another language changes, and before it becomes a confidence. */
  readonly scoreOf: (bytes: Uint8Array, from: number, to: number) => number;
}

/**
 * Weights are summed per step of words. A window is a few steps, and the best window wins, so that an attack inside a
 * long text counts as much as by itself. Sums and not sets of features: a set would have to be emptied for every text.
 *
 * One sentence between honest ones is only a small part of a window: of the attacks that are found by themselves, a
 * third was lost between two paragraphs. So single steps are windows as well. A text has many of them, so they need a
 * higher score.
 */
export function createLikeness({ header, slots, head }: Weights): Likeness {
  const { step, bias, unit, headBias, calibration, stepDearer, abroadCheaper } = header;
  const sums = createSums(slots, step);
  let bestFirst = 0;
  let bestWords = 0;
  let allWords = 0;

  /** The score without the bias. `dearer` is how much higher that of a single step has to be. */
  function bestOf(bytes: Uint8Array, from: number, to: number, dearer: number): number {
    const { words, wide, narrow } = sums(bytes, from, to);
    const bestWide = betterWindow(words, STEPS_PER_WINDOW * step, wide);
    const bestNarrow = betterWindow(words, step, narrow);
    const wideScore = unit * bestWide.sum;
    const narrowScore = words <= step ? -Infinity : unit * bestNarrow.sum - dearer;
    allWords = words;
    ({ first: bestFirst, words: bestWords } = narrowScore > wideScore ? bestNarrow : bestWide);
    return Math.max(wideScore, narrowScore);
  }

  function scoreOf(bytes: Uint8Array, from: number, to: number): number {
    return bias + bestOf(bytes, from, to, stepDearer ?? Infinity);
  }

  function lackIn(bytes: Uint8Array, from: number, to: number): number {
    const score = bias + bestOf(bytes, from, to, 0) + inspectBestWindow(bytes, from, to).bonus;
    return calibration[0]![0] - score;
  }

  /**
   * Reads the window that counted once more, word by word: which kind of attack it looks like, and whether it looks
   * like code or is in another language than English. Few texts come to this.
   */
  function inspectBestWindow(
    bytes: Uint8Array,
    from: number,
    to: number,
  ): Omit<Resemblance, 'confidence'> & { penalty: number; bonus: number; areApart: boolean } {
    let sum = headBias;
    let word = -1 - bestFirst;
    let [begin, end] = [to, to];
    let stem = 0;
    let letters = 0;
    let isAscii = true;
    let english = 0;
    let abroad = 0;
    let singles = 0;
    for (let at = from; at <= to; at += 1) {
      const code = at < to ? BYTE_CODE[bytes[at]!]! : 0;
      if (letters > 0 && code >= 0) {
        if (word >= 0) {
          sum += head[weightPlaceOf(stem) % HEAD_SIZE]!;
          const tongue = tongueOf(stem, isAscii);
          if (tongue === ENGLISH) english += 1;
          else if (tongue === ABROAD) abroad += 1;
          if (isAscii && letters === 1 && isBlankBefore(bytes, at - 1)) singles += 1;
        }
        stem = letters = 0;
        isAscii = true;
      }
      if (letters === 0 && lettersOf(code) > 0) {
        word += 1;
        if (word === 0) begin = at;
        if (word === bestWords) {
          end = at;
          break;
        }
      }
      letters += lettersOf(code);
      if (letters > 0 && bytes[at]! >= 0x80) isAscii = false;
      if (letters > 0 && letters <= STEM_LETTERS) stem = addToHash(stem, code);
    }
    const category = sum > 0 ? 'jailbreak' : 'prompt-injection';
    const penalty = codePenalty(bestWords, countCodeSigns(bytes, begin, end));
    const bonus = isAbroad(bestWords, english, abroad) ? abroadCheaper : 0;
    const areApart = singles * 3 > bestWords * 2;
    return { penalty, bonus, areApart, category, begin, end };
  }

  function resemblanceOf(bytes: Uint8Array, from: number, to: number, splits = MOST_SPLITS): Resemblance | null {
    const score = scoreOf(bytes, from, to);
    if (bestWords < MIN_WORDS || confidenceOf(calibration, score + abroadCheaper) === 0) return null;
    if (isCorrection(bytes, from, to, allWords)) return null;
    const { penalty, bonus, areApart, ...resemblance } = inspectBestWindow(bytes, from, to);
    if (areApart && splits > 0) {
      const { begin, end } = lettersApartAround(bytes, resemblance, from, to);
      return surer(resemblanceOf(bytes, from, begin, splits - 1), resemblanceOf(bytes, end, to, splits - 1));
    }
    const confidence = confidenceOf(calibration, score - penalty + bonus);
    return confidence === 0 ? null : { confidence, ...resemblance };
  }

  return { scoreOf, lackIn, resemblanceOf: (bytes, from, to) => resemblanceOf(bytes, from, to) };
}

/**
 * As words, letters that stand apart look like the attacks that were written so, whatever they spell, and what they spell
 * is judged as well. So what stands before and behind them is judged instead. So often at most: then they count.
 */
const MOST_SPLITS = 6;

function surer(one: Resemblance | null, other: Resemblance | null): Resemblance | null {
  return one !== null && (other === null || one.confidence >= other.confidence) ? one : other;
}

interface BestWindow {
  /** The sum, for its number of words: divided by the root of that and a few silent words. */
  readonly sum: number;
  readonly first: number;
  readonly words: number;
}

/**
 * The better of the last window, which may hold fewer words, and the best of the others. Those are all full, so that
 * their sums could be compared as they are.
 */
function betterWindow(words: number, window: number, { missing, last, best, bestEnd }: Windows): BestWindow {
  const inLast = words <= window ? words : window - missing;
  const ofLast = last / Math.sqrt(inLast + SILENT_WORDS);
  const ofBest = best / Math.sqrt(window + SILENT_WORDS);
  return words > window && ofBest > ofLast
    ? { sum: ofBest, first: bestEnd - window, words: window }
    : { sum: ofLast, first: words - inLast, words: inLast };
}

/**
 * Straight lines between the points of the calibration. Beyond the last, the confidence of the last; below the first,
 * 0.
 */
export function confidenceOf(calibration: Weights['header']['calibration'], score: number): number {
  for (let i = calibration.length - 1; i >= 0; i -= 1) {
    const [from, confidence] = calibration[i]!;
    if (score < from) continue;
    const next = calibration[i + 1];
    if (next === undefined) return confidence;
    const share = (score - from) / (next[0] - from);
    return Math.round((confidence + share * (next[1] - confidence)) * 1e3) / 1e3;
  }
  return 0;
}
