import { createHash } from 'node:crypto';
import type { Signature } from '../src/domain/signature.ts';
import { lexiconSum } from '../src/likeness/lexicon.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { confidenceOf } from '../src/likeness/score.ts';
import { FEATURES, SLOTS, writeWeights } from '../src/likeness/weights.ts';
import type { Corpus } from './corpora.ts';
import type { Course } from './courses.ts';
import { examplesOf } from './examples.ts';
import type { Examples } from './examples.ts';
import { learnHead } from './head.ts';
import { learn, scoreOf } from './learn.ts';
import type { Model } from './learn.ts';
import { readAll } from './readings.ts';
import { keyOf, lineOf, macro, printed } from './report.ts';
import type { Confidences, Judged } from './report.ts';
import { calibrated, crossValidated, isPool, leftOut } from './validate.ts';

export interface Trained {
  readonly bytes: Buffer;
  readonly report: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The confidence for each row, by a model that has not seen it. */
  readonly confidences: Confidences;
}

export function train(
  course: Course,
  corpora: readonly Corpus[],
  signatures: readonly Signature[],
  lexicon: Lexicon,
  beside?: Confidences,
): Trained {
  const rows = corpora.flatMap((corpus) => corpus.rows);
  const { texts, signatures: scores } = readAll(course, signatures, rows);
  const examples = examplesOf(rows, texts, lexicon, course);
  const unseen = crossValidated(examples);
  const calibration = calibrated(course, unseen);
  const model = learn(
    examples,
    examples.all.filter(({ teaches }) => teaches),
  );
  const judged = [
    ...unseen,
    ...examples.all
      .filter(({ teaches }) => !teaches)
      .map((example): Judged => ({ example, score: scoreOf(model, example) })),
  ];
  const lines = (attack: boolean) =>
    corpora
      .map(({ name }) => ({
        name,
        mine: judged.filter(({ example }) => example.row.corpus === name && example.attack === attack),
      }))
      .filter(({ name, mine }) => mine.length > 0 && !name.startsWith('own_'))
      .map(({ name, mine }) => lineOf(name, mine, calibration, scores, beside));
  const strong = judged.filter(
    ({ example: { row } }) => row.corpus === 'jb_inthewild' && !row.subtype.endsWith('weak-label'),
  );
  const attacks = lines(true);
  const strongLine = lineOf('jb_inthewild, strong labels', strong, calibration, scores, beside);
  const honest = lines(false);
  const pool = lineOf(
    'all ordinary text',
    judged.filter(({ example }) => isPool(course, example)),
    calibration,
    scores,
    beside,
  );
  const out = leftOut(examples, scores);
  const unseenSources = macro(out.filter(({ corpus }) => !corpus.includes('+')));
  const taught = new Set(examples.all.filter(({ teaches }) => teaches).map(({ row }) => row.corpus));
  const inputs = corpora.map(({ name, rows, sha256 }) => {
    return { name, rows: rows.length, use: taught.has(name) ? 'trained on' : 'measured only', sha256 };
  });
  const report = {
    blockedPercent: { attacks: [...attacks, strongLine], honest: [...honest, pool] },
    leftOutPercent: { allowedFalsePositives: 100 * course.allowed, sources: out, macro: unseenSources },
    calibration,
    inputs,
    signatures: { count: signatures.length, sha256: sumOf(signatures) },
  };
  const { head, bias: headBias } = learnHead(
    examples.all.filter(({ teaches, attack }) => teaches && attack).map(({ row }) => row),
    lexicon,
  );
  const header = {
    features: FEATURES,
    step: course.step,
    stepDearer: course.stepDearer,
    lexicon: lexiconSum(),
    bias: model.bias,
    unit: model.unit,
    headBias,
    calibration,
    // Results that depend on the current signatures are in the report beside the weights, not in the weights.
    report: { inputs, weights: model.weights.reduce((count, weight) => count + (weight === 0 ? 0 : 1), 0) },
  };
  const text = [
    printed('attacks blocked, percent', [...attacks, strongLine]),
    printed('honest text blocked, percent', [...honest, pool]),
    printed('source left out, percent', [...out, { corpus: 'mean over sources', rows: out.length, ...unseenSources }]),
  ].join('\n');
  const confidences = new Map(judged.map(({ example, score }) => [keyOf(example), confidenceOf(calibration, score)]));
  return { bytes: writeWeights({ header, slots: slotsOf(model, examples), head }), report, text, confidences };
}

function slotsOf({ weights, unit }: Model, { places }: Examples): Uint16Array {
  const slots = new Uint16Array(SLOTS);
  for (let number = 1; number < places.length; number += 1) {
    const weight = Math.round(weights[number]! / unit);
    if (weight !== 0) slots[places[number]! >>> 8] = ((places[number]! & 0xff) << 8) | (weight & 0xff);
  }
  return slots;
}

function sumOf(signatures: readonly Signature[]): string {
  return createHash('sha256')
    .update(JSON.stringify(signatures, (key, value: unknown) => (key === 'source' ? undefined : value)))
    .digest('hex');
}
