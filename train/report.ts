import type { Example } from './examples.ts';
import type { Scores } from './learn.ts';
import { isBlocked, NOTHING } from './signature-scores.ts';
import type { ScoresByLack, SignatureScore } from './signature-scores.ts';

/** A line of results in percent, for the report, the model card and comparisons. */
export interface Line {
  readonly corpus: string;
  readonly rows: number;
  /** Rows blocked by the signatures; the next two are by the model alone, and by everything together. */
  readonly signatures: number;
  readonly likeness: number;
  readonly together: number;
}

export interface Judged extends Scores {
  readonly example: Example;
}

/** What a model says of a text: how much it resembles attacks, and how far it is from doing so. */
export interface Opinion {
  readonly confidence: number;
  readonly lack: number;
}

export type OpinionOf = (judged: Judged) => Opinion;

export function percent(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((10_000 * part) / all) / 100;
}

export function keyOf({ row }: Example): string {
  return `${row.corpus} ${row.id}`;
}

/** `others` are the opinions of another model on the same texts. Where both are asked, that one counts which is surer of an attack. */
export function lineOf(
  corpus: string,
  judged: readonly Judged[],
  opinionOf: OpinionOf,
  signatures: ReadonlyMap<string, ScoresByLack>,
  others: ReadonlyMap<string, Opinion> = new Map(),
): Line {
  let [bySignatures, byLikeness, byBoth] = [0, 0, 0];
  for (const one of judged) {
    const { example } = one;
    const scores = signatures.get(example.row.id) ?? NOTHING;
    const own = opinionOf(one);
    const other = others.get(keyOf(example)) ?? own;
    bySignatures += isFound(scores(0), 0, example) ? 1 : 0;
    byLikeness += own.confidence >= 0.5 ? 1 : 0;
    const both = scores(Math.min(own.lack, other.lack));
    byBoth += isFound(both, Math.max(own.confidence, other.confidence), example) ? 1 : 0;
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

/**
 * An attack that is only found to be hidden causes a warning, and counts as found. Benign text that is hidden is not
 * blocked.
 */
function isFound(found: SignatureScore, confidence: number, { isAttack }: Example): boolean {
  return isBlocked(found, confidence) || (isAttack && found.evasion >= 0.5);
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
