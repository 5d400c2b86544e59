import { createHash } from 'node:crypto';
import { ACTIONS } from '../domain/verdict.ts';
import type { CorpusRun } from './record.ts';

/**
 * The action for each text of a corpus, two bits per text. Marks are stored with the floors, so that a broken floor
 * can say which texts changed. A text is identified by its position, and the order of the texts by a digest of their
 * ids.
 */
export interface Marks {
  readonly texts: number;
  readonly ids: string;
  readonly actions: string;
}

export function marksOf(corpora: readonly CorpusRun[]): Readonly<Record<string, Marks>> {
  return Object.fromEntries(
    corpora.map((corpus) => {
      const bytes = Buffer.alloc(Math.ceil(corpus.rows.length / 4));
      for (const [i, { action }] of corpus.rows.entries()) bytes[i >> 2]! |= ACTIONS.indexOf(action) << (2 * (i & 3));
      return [corpus.name, { texts: corpus.rows.length, ids: digestOf(corpus), actions: bytes.toString('base64') }];
    }),
  );
}

/** The corpora with the actions at the time of the marks. A corpus whose texts have changed is left out. */
export function markedRun(marks: Readonly<Record<string, Marks>>, now: readonly CorpusRun[]): readonly CorpusRun[] {
  return now.flatMap((corpus) => {
    const mark = Object.hasOwn(marks, corpus.name) ? marks[corpus.name] : undefined;
    if (mark === undefined || mark.texts !== corpus.rows.length || mark.ids !== digestOf(corpus)) return [];
    const bytes = Buffer.from(mark.actions, 'base64');
    const rows = corpus.rows.map((row, i) =>
      Object.assign({ ...row }, { action: ACTIONS[((bytes[i >> 2] ?? 0) >> (2 * (i & 3))) & 3]! }),
    );
    return [{ ...corpus, rows }];
  });
}

function digestOf({ rows }: CorpusRun): string {
  const hash = createHash('sha256');
  for (const { id, label } of rows) hash.update(`${id}\0${label}\n`);
  return hash.digest('hex').slice(0, 16);
}

export function areMarks(value: unknown): value is Readonly<Record<string, Marks>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (mark: Partial<Marks> | null) =>
      Number.isInteger(mark?.texts) && typeof mark?.ids === 'string' && typeof mark.actions === 'string',
  );
}
