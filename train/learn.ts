import { codePenalty } from '../src/likeness/code-like.ts';
import { ABROAD, ENGLISH, isAbroad } from '../src/likeness/tongue.ts';
import { SILENT_WORDS, STEPS_PER_WINDOW } from '../src/likeness/words.ts';
import { randomNumbers } from './random.ts';
import { FEATURES_PER_WORD } from './examples.ts';
import type { ModelSetup } from './model-setups.ts';
import type { Example, Examples } from './examples.ts';

/**
 * Logistic regression with Adagrad, over the window of each text that looks most like an attack. Only that window of
 * an attack has to be an attack, while every window of a benign text has to be benign, so its worst window teaches
 * most.
 */
export interface Model {
  readonly setup: ModelSetup;
  /** Integer multiples of `unit`. */
  readonly weights: Float32Array;
  readonly unit: number;
  readonly bias: number;
}

/** Enough for the weights to converge. Stopped early, they mostly reflect the largest corpora. */
const EPOCHS = 16;
/** Enough to find out which weight of a slot is more important. */
const TRIAL_EPOCHS = 5;
const RATE = 0.3;
const SHARPNESS = 1.4;
const SEED = 7;
/** Beyond this many rows, the weight of a corpus grows only with the square root of its size. */
const FAIR_ROWS = 400;
const MOST_WEIGHT = 3;
/**
 * The weight of attacks. Half of an attack is benign words, which must not be held against other texts that use them.
 */
const ATTACK_WEIGHT = 0.6;

/** Trains a model on these rows. */
export function learn({ setup, places, textCounts }: Examples, rows: readonly Example[]): Model {
  const all = new Uint8Array(places.length).fill(1, 1);
  const first = trainWeights(setup, rows, all, TRIAL_EPOCHS);
  // A slot holds one weight. The most important one keeps it, and the model is then trained again without the others.
  return quantized(trainWeights(setup, rows, numbersKept(first.weights, places, textCounts), EPOCHS));
}

function weightsOfRows(rows: readonly Example[]): Float32Array {
  const counts = new Map<string, number>();
  const keyOf = ({ row, isAttack }: Example): string => `${row.corpus} ${isAttack}`;
  for (const example of rows) counts.set(keyOf(example), (counts.get(keyOf(example)) ?? 0) + 1);
  return Float32Array.from(rows, (example) => {
    const fair = Math.min(MOST_WEIGHT, Math.sqrt(FAIR_ROWS / counts.get(keyOf(example))!));
    return example.labelTrust * fair * (example.isAttack ? ATTACK_WEIGHT : 1);
  });
}

/** Trains the weights. `kept` is 1 for the numbers that may have one. */
function trainWeights(
  setup: ModelSetup,
  rows: readonly Example[],
  kept: Uint8Array,
  epochs: number,
): Omit<Model, 'unit'> {
  const weights = new Float32Array(kept.length);
  const steepness = new Float32Array(kept.length).fill(1e-3);
  const rowWeights = weightsOfRows(rows);
  const order = Int32Array.from(rows, (_, i) => i);
  const next = randomNumbers(SEED);
  let bias = -2;
  let biasSteepness = 1e-3;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = Math.floor(next() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (const at of order) {
      const example = rows[at]!;
      if (example.words === 0) continue;
      // In the first epoch nothing is known, and any part of an attack may be the attack.
      const window =
        epoch === 0 && example.isAttack ? anyWindow(setup, example, next) : bestWindow(setup.step, example, weights);
      const share = SHARPNESS / Math.sqrt(window.to - window.from + SILENT_WORDS);
      let score = bias;
      const { features } = example;
      const [start, end] = [window.from * FEATURES_PER_WORD, window.to * FEATURES_PER_WORD];
      for (let i = start; i < end; i += 1) score += share * weights[features[i]!]!;
      const slope = (1 / (1 + Math.exp(-score)) - (example.isAttack ? 1 : 0)) * rowWeights[at]!;
      if (Math.abs(slope) < 1e-4) continue;
      biasSteepness += slope * slope;
      bias -= (0.3 * RATE * slope) / Math.sqrt(biasSteepness);
      for (let i = start; i < end; i += 1) {
        const number = features[i]!;
        if (kept[number] === 0) continue;
        const step = slope * share + setup.decay * weights[number]!;
        steepness[number]! += step * step;
        weights[number]! -= (RATE * step) / Math.sqrt(steepness[number]!);
      }
    }
  }
  return { setup, weights: weights.map((weight) => weight * SHARPNESS), bias };
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

function anyWindow({ step }: ModelSetup, { readingEnds }: Example, next: () => number): Window {
  const wide = 2 * STEPS_PER_WINDOW * step;
  const words = readingEnds[0]!;
  const from = words <= wide ? 0 : Math.floor(next() * (words - wide));
  return { from, to: Math.min(words, from + wide), score: 0 };
}

const steps: number[] = [];

/**
 * The best window, found as by the scorer: windows begin at every step of a reading, and the last may be short. The
 * score is without the bias.
 */
function bestWindow(wordsPerStep: number, { readingEnds, features }: Example, weights: Float32Array): Window {
  let best: Window = { from: 0, to: 0, score: -Infinity };
  let begin = 0;
  for (const words of readingEnds) {
    steps.length = 0;
    for (let from = begin; from < words; from += wordsPerStep) {
      let sum = 0;
      const end = Math.min(words, from + wordsPerStep) * FEATURES_PER_WORD;
      for (let i = from * FEATURES_PER_WORD; i < end; i += 1) sum += weights[features[i]!]!;
      steps.push(sum);
    }
    for (let first = 0; first === 0 || first + STEPS_PER_WINDOW <= steps.length; first += 1) {
      let sum = 0;
      for (let step = first; step < Math.min(first + STEPS_PER_WINDOW, steps.length); step += 1) sum += steps[step]!;
      const from = begin + first * wordsPerStep;
      const to = Math.min(words, from + STEPS_PER_WINDOW * wordsPerStep);
      const score = sum / Math.sqrt(to - from + SILENT_WORDS);
      if (score > best.score) best = { from, to, score };
    }
    begin = words;
  }
  return best;
}

export interface Scores {
  /** The score of an example, computed as by the scorer. */
  readonly score: number;
  /** The score with single steps in full, by which it is told how far the text is from resembling attacks. */
  readonly supporting: number;
}

export function scoresOf(model: Model, example: Example): Scores {
  if (example.words === 0) return { score: -Infinity, supporting: -Infinity };
  const { step, stepDearer, abroadCheaper } = model.setup;
  const wide = bestWindow(step, example, model.weights);
  const narrow = bestWindow(step / STEPS_PER_WINDOW, example, model.weights);
  const bonusIn = ({ from, to }: Window): number => {
    const tongues = example.tongues.subarray(from, to);
    const english = tongues.filter((tongue) => tongue === ENGLISH).length;
    const abroad = tongues.filter((tongue) => tongue === ABROAD).length;
    return isAbroad(to - from, english, abroad) ? abroadCheaper : 0;
  };
  const best = (dearer: number): { readonly score: number; readonly window: Window } => {
    const narrowScore = narrow.score - dearer;
    const window = narrowScore > wide.score ? narrow : wide;
    return { score: model.bias + Math.max(wide.score, narrowScore) + bonusIn(window), window };
  };
  const { score, window } = best(stepDearer ?? Infinity);
  let signs = 0;
  for (let i = window.from; i < window.to; i += 1) signs += example.signs[i]!;
  return { score: score - codePenalty(window.to - window.from, signs), supporting: best(0).score };
}

/** 1 for each number that keeps the slot of its place, which is the one with the largest weight in the most texts. */
function numbersKept(weights: Float32Array, places: Int32Array, textCounts: Uint16Array): Uint8Array {
  const owner = new Int32Array(65_536);
  const importance = (number: number): number => Math.abs(weights[number]!) * Math.sqrt(textCounts[number]!);
  for (let number = 1; number < places.length; number += 1) {
    const slot = places[number]! >>> 8;
    if (weights[number] !== 0 && importance(number) > importance(owner[slot]!)) owner[slot] = number;
  }
  const kept = new Uint8Array(places.length);
  for (const number of owner) if (number !== 0) kept[number] = 1;
  return kept;
}

/**
 * Rounds the weights to the 255 values of a byte. The few largest are clipped, so that the many small ones keep their
 * differences.
 */
function quantized({ setup, weights, bias }: Omit<Model, 'unit'>): Model {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const unit = (sizes[Math.floor(sizes.length * 0.9995)] ?? 127) / 127;
  const whole = weights.map((weight) => unit * Math.max(-127, Math.min(127, Math.round(weight / unit))));
  return { setup, bias, unit, weights: whole };
}
