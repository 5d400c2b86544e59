/**
 * Jobs that wait go to a thread together. A hand-over costs as much as the scan of a short body, on both sides, and most
 * bodies are short. Nothing is held back to make a batch beyond the turn of the event loop that it came in.
 */
import type { Entry, Job, JobKind } from '../domain/batch.ts';
import type { Report } from '../domain/job.ts';

export const NOTHING_FOUND: Report = { kind: 'report', findings: [], unscannable: {} };

/** So few that the first does not wait long for the last. */
export const MOST_JOBS = 16;
/** Less than that is not shared out: it is read before another thread is awake. */
const LEAST_JOBS = 8;
export const LEAST_BYTES = 16_384;

export interface Waiting {
  readonly kind: JobKind;
  readonly job: Job;
  readonly slot: number;
  /** It was in a batch that did not end: it may be why, so it goes by itself. */
  readonly retried: boolean;
}

/** How many of the first that wait go together. `share` is what is fair, with the other threads about to ask as well. */
export function batchSize(waiting: readonly Waiting[], share: number, mostBytes: number): number {
  let bytes = 0;
  for (let i = 0; i < waiting.length; i += 1) {
    const { job, retried } = waiting[i]!;
    bytes += job.bytes.length;
    const enough = (i >= share && (i >= LEAST_JOBS || bytes > LEAST_BYTES)) || i >= MOST_JOBS || bytes > mostBytes;
    if (i > 0 && (enough || retried)) return i;
    if (retried) return 1;
  }
  return waiting.length;
}

/**
 * Into the thread's mailbox, which is free when the thread is. By `fill`, which copies as fast as memory goes; `set` and `copy`
 * take twelve times as long into memory that is shared, since another thread might look at each number meanwhile.
 */
export function pack(jobs: readonly Waiting[], mailbox: Buffer): Entry[] {
  let from = 0;
  return jobs.map(({ kind, job: { bytes, ...job }, slot }) => {
    const to = from + bytes.length;
    // Of nothing there is no copy, and it says so by throwing.
    if (to > from) mailbox.fill(bytes, from, to);
    const entry = { kind, job, from, to, slot };
    from = to;
    return entry;
  });
}

export function bytesOf(jobs: readonly Waiting[]): number {
  let size = 0;
  for (const { job } of jobs) size += job.bytes.length;
  return size;
}
