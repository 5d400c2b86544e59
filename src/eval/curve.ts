import { isAttack, STEPS } from './judge.ts';
import type { CorpusRun } from './record.ts';
import { meanOf, shareOf } from './tally.ts';

/** What the dial gives and what it costs at one of its places, all in percent. */
export interface Point {
  readonly sensitivity: number;
  /** Attacks that are blocked: the mean over corpora. */
  readonly recall: number | null;
  /** Benign texts that are blocked, of all together. */
  readonly falsePositives: number | null;
  /** Of what is blocked, how much is an attack, where as many attacks come as benign texts. */
  readonly precision: number | null;
}

/** Answers apart from requests: what is looked for in them is another thing, and so is its dial. */
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
