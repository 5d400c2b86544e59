import { createHash } from 'node:crypto';
import type { Signature } from '../src/domain/signature.ts';
import { lexiconChecksum } from '../src/likeness/lexicon.ts';
import type { Lexicon } from '../src/likeness/lexicon.ts';
import { FEATURES, SLOT_COUNT, writeWeights } from '../src/likeness/weights.ts';
import type { Corpus } from './corpora.ts';
import type { ModelSetup } from './model-setups.ts';
import { examplesOf } from './examples.ts';
import type { Examples } from './examples.ts';
import { learnHead } from './head.ts';
import { learn } from './learn.ts';
import type { Model } from './learn.ts';
import { scanRows } from './readings.ts';
import { keyOf, lineOf, meanOf, tableOf } from './report.ts';
import type { Opinion } from './report.ts';
import { calibrate, crossValidate, isOrdinaryText, judgedBy, leaveOneOut, opinionsOf } from './validate.ts';

export interface Trained {
  readonly bytes: Buffer;
  readonly report: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The opinion on each row, by a model that has not seen it. */
  readonly opinions: ReadonlyMap<string, Opinion>;
}

export function train(
  setup: ModelSetup,
  corpora: readonly Corpus[],
  signatures: readonly Signature[],
  lexicon: Lexicon,
  others?: ReadonlyMap<string, Opinion>,
): Trained {
  const rows = corpora.flatMap((corpus) => corpus.rows);
  const { texts, signatures: scores } = scanRows(setup, signatures, rows);
  const examples = examplesOf(rows, texts, lexicon, setup);
  const unseen = crossValidate(examples);
  const calibration = calibrate(setup, unseen);
  const model = learn(
    examples,
    examples.all.filter(({ isTrainedOn }) => isTrainedOn),
  );
  const judged = [
    ...unseen,
    ...examples.all.filter(({ isTrainedOn }) => !isTrainedOn).map((example) => judgedBy(model, example)),
  ];
  const opinionOf = opinionsOf(setup, calibration);
  const lines = (attack: boolean) =>
    corpora
      .map(({ name }) => ({
        name,
        mine: judged.filter(({ example }) => example.row.corpus === name && example.isAttack === attack),
      }))
      .filter(({ name, mine }) => mine.length > 0 && !name.startsWith('own_'))
      .map(({ name, mine }) => lineOf(name, mine, opinionOf, scores, others));
  const stronglyLabelled = judged.filter(
    ({ example: { row } }) => row.corpus === 'jb_inthewild' && !row.subtype.endsWith('weak-label'),
  );
  const attacks = lines(true);
  const stronglyLabelledLine = lineOf('jb_inthewild, strong labels', stronglyLabelled, opinionOf, scores, others);
  const honest = lines(false);
  const ordinaryLine = lineOf(
    'all ordinary text',
    judged.filter(({ example }) => isOrdinaryText(setup, example)),
    opinionOf,
    scores,
    others,
  );
  const leftOutLines = leaveOneOut(examples, scores, calibration);
  const unseenSources = meanOf(leftOutLines.filter(({ corpus }) => !corpus.includes('+')));
  const trainedOn = new Set(examples.all.filter(({ isTrainedOn }) => isTrainedOn).map(({ row }) => row.corpus));
  const inputs = corpora.map(({ name, rows, sha256 }) => {
    return { name, rows: rows.length, use: trainedOn.has(name) ? 'trained on' : 'measured only', sha256 };
  });
  const report = {
    blockedPercent: { attacks: [...attacks, stronglyLabelledLine], honest: [...honest, ordinaryLine] },
    leftOutPercent: {
      allowedFalsePositives: 100 * setup.allowedFalsePositives,
      sources: leftOutLines,
      macro: unseenSources,
    },
    calibration,
    inputs,
    signatures: { count: signatures.length, sha256: checksumOf(signatures) },
  };
  const { head, bias: headBias } = learnHead(
    examples.all.filter(({ isTrainedOn, isAttack }) => isTrainedOn && isAttack).map(({ row }) => row),
    lexicon,
  );
  const header = {
    features: FEATURES,
    step: setup.step,
    stepDearer: setup.stepDearer,
    abroadCheaper: setup.abroadCheaper,
    lexicon: lexiconChecksum(),
    bias: model.bias,
    unit: model.unit,
    headBias,
    calibration,
    // Results that depend on the current signatures are in the report beside the weights, not in the weights.
    report: { inputs, weights: model.weights.reduce((count, weight) => count + (weight === 0 ? 0 : 1), 0) },
  };
  const text = [
    tableOf('attacks blocked, percent', [...attacks, stronglyLabelledLine]),
    tableOf('honest text blocked, percent', [...honest, ordinaryLine]),
    tableOf('source left out, percent', [
      ...leftOutLines,
      { corpus: 'mean over sources', rows: leftOutLines.length, ...unseenSources },
    ]),
  ].join('\n');
  const opinions = new Map(judged.map((one) => [keyOf(one.example), opinionOf(one)]));
  return { bytes: writeWeights({ header, slots: slotsOf(model, examples), head }), report, text, opinions };
}

function slotsOf({ weights, unit }: Model, { places }: Examples): Uint16Array {
  const slots = new Uint16Array(SLOT_COUNT);
  for (let number = 1; number < places.length; number += 1) {
    const weight = Math.round(weights[number]! / unit);
    if (weight !== 0) slots[places[number]! >>> 8] = ((places[number]! & 0xff) << 8) | (weight & 0xff);
  }
  return slots;
}

function checksumOf(signatures: readonly Signature[]): string {
  return createHash('sha256')
    .update(JSON.stringify(signatures, (key, value: unknown) => (key === 'source' ? undefined : value)))
    .digest('hex');
}
