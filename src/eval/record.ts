import type { Direction } from '../domain/job.ts';
import { ACTIONS, type Action } from '../domain/verdict.ts';
import type { Judged } from './judge.ts';

/** The results for one file of labelled texts. */
export interface CorpusRun {
  readonly name: string;
  /** How its texts were sent: as requests, or as a model's responses, in which sensitive data is searched for. */
  readonly direction: Direction;
  /** Whether it may only measure: no signature is written and no weight is trained from its texts. */
  readonly measuredOnly: boolean;
  readonly characters: number;
  /** CPU time of all threads together. */
  readonly cpuMs: number;
  readonly rows: readonly Judged[];
  readonly unread: { readonly count: number; readonly first: readonly string[] };
}

export interface EvalRun {
  readonly version: 1;
  readonly at: string;
  readonly role: string | null;
  readonly sensitivity: number;
  readonly signatures: number;
  readonly corpora: readonly CorpusRun[];
}

/** Parses a saved run. Returns null if the file holds something else. */
export function runFrom(text: string): EvalRun | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { version, corpora } = value as Partial<EvalRun>;
  const holds = version === 1 && Array.isArray(corpora) && corpora.every((corpus: unknown) => isCorpus(corpus));
  return holds ? (value as EvalRun) : null;
}

function isCorpus(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, rows } = value as Partial<CorpusRun>;
  return (
    typeof name === 'string' &&
    Array.isArray(rows) &&
    rows.every(
      (row: Partial<Judged> | null) =>
        typeof row?.id === 'string' && typeof row.label === 'string' && ACTIONS.includes(row.action as Action),
    )
  );
}
