/**
 * Jobs that wait go to a thread together. A hand-over costs as much as the scan of a short body, on both sides, and most
 * bodies are short. Nothing is ever held back to make a batch: while a thread is free, a job goes alone and at once.
 */
import type { Batch, Job, JobKind } from '../domain/batch.ts';
import type { Report } from '../domain/job.ts';

export const NOTHING_FOUND: Report = { kind: 'report', findings: [], unscannable: {} };

/** So few, and so small, that the first does not wait long for the last, whatever is in them. */
const MOST_JOBS = 8;
const MOST_BYTES = 32_768;

export interface Waiting {
  readonly kind: JobKind;
  readonly job: Job;
  readonly slot: number;
  /** It was in a batch that did not end: it may be why, so it goes by itself. */
  readonly retried: boolean;
}

/** How many of the first that wait go together. `share` is what is fair, with the other threads about to ask as well. */
export function batchSize(waiting: readonly Waiting[], share: number): number {
  let bytes = 0;
  for (let i = 0; i < waiting.length; i += 1) {
    const { job, retried } = waiting[i]!;
    bytes += job.bytes.length;
    if (i > 0 && (i >= share || i >= MOST_JOBS || bytes > MOST_BYTES || retried)) return i;
    if (retried) return 1;
  }
  return waiting.length;
}

export function pack(jobs: readonly Waiting[]): Batch {
  let size = 0;
  for (const { job } of jobs) size += job.bytes.length;
  // A copy of their own, handed over and not cloned: a view of Node's receive buffer would take the whole of it along.
  const bytes = new Uint8Array(size);
  let from = 0;
  const entries = jobs.map(({ kind, job: { bytes: own, ...job }, slot }) => {
    bytes.set(own, from);
    const entry = { kind, job, from, to: from + own.length, slot };
    from = entry.to;
    return entry;
  });
  return { bytes, entries };
}
