import { PLANTED_IS_NEARER } from '../src/detect/resemblance.ts';
import { confidenceOf } from '../src/likeness/score.ts';
import { calibrationFrom } from './calibrate.ts';
import { FOLDS } from './examples.ts';
import type { ModelSetup } from './model-setups.ts';
import type { Example, Examples } from './examples.ts';
import { learn, scoresOf } from './learn.ts';
import type { Model } from './learn.ts';
import { lineOf, percent } from './report.ts';
import type { Judged, Line, OpinionOf } from './report.ts';
import { isBlocked, NOTHING } from './signature-scores.ts';
import type { ScoresByLack } from './signature-scores.ts';

/**
 * Whether an example is ordinary traffic. Text full of the words of attacks is measured separately, and our own texts
 * say nothing about those of others.
 */
export function isOrdinaryText({ isOrdinary }: ModelSetup, { row, isAttack }: Example): boolean {
  return !isAttack && isOrdinary(row.corpus);
}

export function judgedBy(model: Model, example: Example): Judged {
  const { score, supporting } = scoresOf(model, example);
  return { example, score, supporting };
}

type Calibration = readonly (readonly [number, number])[];

export function opinionsOf(setup: ModelSetup, calibration: Calibration): OpinionOf {
  return ({ score, supporting }) => ({
    confidence: confidenceOf(calibration, score),
    lack: lackOf(setup, calibration[0]![0], supporting),
  });
}

function lackOf({ name }: ModelSetup, firstPoint: number, supporting: number): number {
  return firstPoint - supporting - (name === 'planted' ? PLANTED_IS_NEARER : 0);
}

/** Scores every row used for training by a model that has not seen it (cross-validation). */
export function crossValidate(examples: Examples): Judged[] {
  const judged: Judged[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = learn(
      examples,
      examples.all.filter((one) => one.isTrainedOn && one.fold !== fold),
    );
    for (const example of examples.all)
      if (example.isTrainedOn && example.fold === fold) judged.push(judgedBy(model, example));
  }
  return judged;
}

/**
 * Calibrates on the unseen scores of benign text. A corpus is weighted by the square root of its size: one of
 * thousands of rows does not represent ten times as much traffic as one of hundreds.
 */
export function calibrate(setup: ModelSetup, judged: readonly Judged[]): [number, number][] {
  const honest = judged.filter(({ example }) => isOrdinaryText(setup, example));
  const counts = new Map<string, number>();
  for (const { example } of honest) counts.set(example.row.corpus, (counts.get(example.row.corpus) ?? 0) + 1);
  return calibrationFrom(
    setup.oneBlockedIn,
    honest.map(({ example, score }) => ({ score, weight: 1 / Math.sqrt(counts.get(example.row.corpus)!) })),
  );
}

/**
 * Leaves out each source of attacks once, which simulates meeting it for the first time. Of the calibration of the whole
 * model, only the distance between its points is used.
 */
export function leaveOneOut(
  examples: Examples,
  signatures: ReadonlyMap<string, ScoresByLack>,
  calibration: Calibration,
): (Line & { readonly falsePositives: number })[] {
  const { setup } = examples;
  const { allowedFalsePositives } = setup;
  const toBoundary = calibration.find(([, confidence]) => confidence >= 0.5)![0] - calibration[0]![0];
  const ordinary = examples.all.filter((one) => isOrdinaryText(setup, one) && (!one.isTrainedOn || one.fold === 0));
  const unseenPool = new Set(ordinary);
  let general: Model | null = null;
  const present = new Set(examples.all.map(({ row }) => row.corpus));
  const lineWithout = (names: readonly string[]) => {
    const training = examples.all.filter(
      (one) => one.isTrainedOn && !names.includes(one.row.corpus) && !unseenPool.has(one),
    );
    const isMeasured = !examples.all.some((one) => one.isTrainedOn && one.isAttack && names.includes(one.row.corpus));
    const model = isMeasured && general !== null ? general : learn(examples, training);
    if (isMeasured) general = model;
    const unseen = ordinary.map((example) => judgedBy(model, example));
    const falling = unseen.map(({ score }) => score).sort((a, b) => b - a);
    const opinionAt =
      (boundary: number): OpinionOf =>
      ({ score, supporting }) => ({
        confidence: score >= boundary ? 0.5 : 0,
        lack: lackOf(setup, boundary - toBoundary, supporting),
      });
    // The lowest threshold at which signatures and model together stay below the allowed share.
    const blocked = (boundary: number): number =>
      unseen.filter((one) => {
        const { confidence, lack } = opinionAt(boundary)(one);
        return isBlocked((signatures.get(one.example.row.id) ?? NOTHING)(lack), confidence);
      }).length;
    let rank = Math.floor(allowedFalsePositives * ordinary.length);
    while (rank > 0 && blocked(falling[rank]!) > allowedFalsePositives * ordinary.length) rank -= 1;
    const boundary = falling[rank]! + 1e-9;
    const attacks = examples.all
      .filter((one) => one.isAttack && one.row.corpus === names[0])
      .map((example) => judgedBy(model, example));
    return {
      ...lineOf(names.join(' + '), attacks, opinionAt(boundary), signatures),
      falsePositives: percent(blocked(boundary), ordinary.length),
    };
  };
  return setup.sources.filter(([first]) => present.has(first!)).map(lineWithout);
}
