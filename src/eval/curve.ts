import { isAttack, STEPS } from './judge.ts';
import type { CorpusRun } from './record.ts';
import { meanOf, shareOf } from './tally.ts';

/** Recall, false positives and precision at one value of `policy.sensitivity`, all in percent. */
export interface Point {
  readonly sensitivity: number;
  /** The share of attacks that are blocked: the mean over the corpora. */
  readonly recall: number | null;
  /** The share of benign texts that are blocked, over all corpora together. */
  readonly falsePositives: number | null;
  /** The share of attacks among the blocked texts, if attacks and benign texts are equally frequent. */
  readonly precision: number | null;
}

/** Requests and responses have separate curves, because different things are searched for in them. */
export function curveOf(corpora: readonly CorpusRun[], direction: CorpusRun['direction']): readonly Point[] {
  const mine = corpora.filter((corpus) => corpus.direction === direction);
  const attacks = mine.map(({ rows }) => rows.filter(isAttack));
  const benign = mine.flatMap(({ rows }) => rows.filter((row) => !isAttack(row)));
  if (attacks.every((rows) => rows.length === 0) && benign.length === 0) return [];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const sensitivity = step / STEPS;
    const blocked = (rows: readonly { readonly blockedFrom: number | null }[]): number | null =>
      shareOf(rows.filter(({ blockedFrom }) => blockedFrom !== null && blockedFrom <= sensitivity).length, rows.length);
    const recall = meanOf(attacks.map(blocked));
    const falsePositives = blocked(benign);
    const all = (recall ?? 0) + (falsePositives ?? 0);
    const precision = recall === null || falsePositives === null || all === 0 ? null : (100 * recall) / all;
    return { sensitivity, recall, falsePositives, precision };
  });
}
