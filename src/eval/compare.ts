import { ACTIONS } from '../domain/verdict.ts';
import { isAttack, isBlocked, type Judged } from './judge.ts';
import type { CorpusRun } from './record.ts';

/** The actions for one text in an earlier run and in this one. */
export interface Change {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly better: boolean;
}

export interface Delta {
  readonly corpus: string;
  /** How many attacks are blocked only now, and how many only before. */
  readonly recall: readonly [gained: number, lost: number];
  /** How many benign texts are blocked only before, and how many only now. */
  readonly falsePositives: readonly [gone: number, come: number];
  readonly changes: readonly Change[];
  /** The number of texts that are in only one of the runs. */
  readonly unmatched: number;
}

/** Compares two runs, text by text, for the corpora that are in both. Texts are matched by id. */
export function compareRuns(before: readonly CorpusRun[], now: readonly CorpusRun[]): readonly Delta[] {
  const earlier = new Map(before.map((corpus) => [corpus.name, corpus]));
  return now.flatMap(({ name, rows }) => {
    const known = earlier.get(name);
    if (known === undefined) return [];
    const byId = new Map(known.rows.map((row) => [row.id, row]));
    const pairs = rows.flatMap((row): [Judged, Judged][] => {
      const old = byId.get(row.id);
      return old === undefined ? [] : [[old, row]];
    });
    const count = (attack: boolean, was: boolean): number =>
      pairs.filter(([a, b]) => isAttack(b) === attack && isBlocked(a) === was && isBlocked(b) !== was).length;
    const changes = pairs
      .filter(([a, b]) => a.action !== b.action)
      .map(([a, b]) => ({
        id: b.id,
        from: a.action,
        to: b.action,
        better: ACTIONS.indexOf(b.action) > ACTIONS.indexOf(a.action) === isAttack(b),
      }));
    return [
      {
        corpus: name,
        recall: [count(true, false), count(true, true)],
        falsePositives: [count(false, true), count(false, false)],
        changes,
        unmatched: rows.length + known.rows.length - 2 * pairs.length,
      },
    ];
  });
}
