import { featuresOf } from '../src/likeness/features.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { HEAD_SIZE } from '../src/likeness/weights.ts';
import { randomNumbers } from './random.ts';
import type { Row } from './corpora.ts';

/**
 * Trains the second head, which tells the two kinds of attack apart. Single words are enough for that, and it only
 * names what the first head has found, so it is small.
 */
export function learnHead(attacks: readonly Row[], lexicon: Lexicon): { head: Int8Array; bias: number } {
  const rows = attacks.filter(({ label }) => label === 'jailbreak' || label === 'prompt-injection');
  const jailbreaks = rows.filter(({ label }) => label === 'jailbreak').length;
  // The same length of text as the scorer will use.
  const words = rows.map(({ text }) =>
    featuresOf(Buffer.from(text.slice(0, 600)), lexicon).map(({ place }) => place % HEAD_SIZE),
  );
  const weights = new Float32Array(HEAD_SIZE);
  const next = randomNumbers(3);
  let bias = 0;
  for (let step = 0; step < rows.length * EPOCHS; step += 1) {
    const at = Math.floor(next() * rows.length);
    const row = rows[at]!;
    const wordsOfRow = words[at]!;
    const isJailbreak = row.label === 'jailbreak';
    const share = isJailbreak ? rows.length / (2 * jailbreaks) : rows.length / (2 * (rows.length - jailbreaks));
    let sum = bias;
    for (const word of wordsOfRow) sum += weights[word]!;
    const slope = RATE * share * (1 / (1 + Math.exp(-sum)) - (isJailbreak ? 1 : 0));
    bias -= slope;
    for (const word of wordsOfRow) weights[word]! -= slope + DECAY * weights[word]!;
  }
  const unit = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-6) / 127;
  return { head: Int8Array.from(weights, (weight) => Math.round(weight / unit)), bias: bias / unit };
}

const EPOCHS = 6;
const RATE = 0.02;
const DECAY = 1e-4;
