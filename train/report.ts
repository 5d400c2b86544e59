import { confidenceOf } from '../src/likeness/score.ts';
import type { Example } from './examples.ts';
import { isBlocked, NOTHING } from './signature-scores.ts';
import type { SignatureScore } from './signature-scores.ts';

/** A line of results in percent, for the report, the model card and comparisons. */
export interface Line {
  readonly corpus: string;
  readonly rows: number;
  /** Rows blocked by the signatures; the next two are by the model alone, and by everything together. */
  readonly signatures: number;
  readonly likeness: number;
  readonly together: number;
}

export interface Judged {
  readonly example: Example;
  readonly score: number;
}

type Calibration = readonly (readonly [number, number])[];
type Scores = ReadonlyMap<string, SignatureScore>;
export type Confidences = ReadonlyMap<string, number>;

export function percent(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((10_000 * part) / all) / 100;
}

export function keyOf({ row }: Example): string {
  return `${row.corpus} ${row.id}`;
}

/**
 * `otherConfidences` are those of another model for the same texts, for the case that both are used and the higher one
 * counts.
 */
export function lineOf(
  corpus: string,
  judged: readonly Judged[],
  calibration: Calibration,
  signatures: Scores,
  otherConfidences: Confidences = new Map(),
): Line {
  let [bySignatures, byLikeness, byBoth] = [0, 0, 0];
  for (const { example, score } of judged) {
    const found = signatures.get(example.row.id) ?? NOTHING;
    // An attack that is only found to be hidden causes a warning, and counts as found. Benign text that is hidden is
    // not blocked.
    const isFound = isBlocked(found, 0) || (example.isAttack && found.evasion >= 0.5);
    const confidence = confidenceOf(calibration, score);
    bySignatures += isFound ? 1 : 0;
    byLikeness += confidence >= 0.5 ? 1 : 0;
    byBoth += isFound || isBlocked(found, Math.max(confidence, otherConfidences.get(keyOf(example)) ?? 0)) ? 1 : 0;
  }
  const { length } = judged;
  return {
    corpus,
    rows: length,
    signatures: percent(bySignatures, length),
    likeness: percent(byLikeness, length),
    together: percent(byBoth, length),
  };
}

/** The mean over corpora instead of rows: the largest corpus is not the most important one. */
export function meanOf(lines: readonly Line[]): Pick<Line, 'signatures' | 'likeness' | 'together'> {
  const mean = (of: (line: Line) => number): number =>
    Math.round((100 * lines.reduce((sum, line) => sum + of(line), 0)) / Math.max(1, lines.length)) / 100;
  return {
    signatures: mean((line) => line.signatures),
    likeness: mean((line) => line.likeness),
    together: mean((line) => line.together),
  };
}

export function tableOf(title: string, lines: readonly Line[]): string {
  const rows = lines.map(
    ({ corpus, rows, signatures, likeness, together }) =>
      `${corpus.padEnd(34)} ${String(rows).padStart(6)} ${[signatures, likeness, together].map((one) => one.toFixed(2).padStart(9)).join(' ')}`,
  );
  return [`${title.padEnd(34)}   rows signatures likeness  together`, ...rows, ''].join('\n');
}
