/**
 * Waiting jobs are handed to a thread in batches. A hand-over costs both sides as much as the scan of a short body, and
 * most bodies are short. No job is held back longer than the current turn of the event loop to fill a batch.
 */
import type { BatchEntry, WaitingJob, JobKind } from '../domain/batch.ts';
import { piecesOf } from '../domain/bytes.ts';
import type { Report } from '../domain/job.ts';
import { LARGE_BYTES } from '../domain/memory.ts';

export const NOTHING_FOUND: Report = { kind: 'report', findings: [], unscannable: {} };

/** More is never handed over together: what waits behind a slow body waits for it, also where another thread is free. */
export const MAX_BATCH_JOBS = 32;
/** Longer bodies of less than this are not split among threads. Short ones count by their number. */
export const SMALL_BATCH_BYTES = 16_384;
/** From here on a body is a longer one. */
export const LONGER_BYTES = 4096;

export interface QueuedJob {
  readonly kind: JobKind;
  readonly job: WaitingJob;
  readonly slot: number;
  /** The job was in a batch that did not finish. It may have been the cause, so it is sent alone the second time. */
  readonly retried: boolean;
  /** The job takes long, so it is sent alone. */
  readonly isSlow: boolean;
  /** How long the body may be once it is decompressed. One that may be large is sent alone. */
  readonly plainBytes: number;
}

/** The most of one batch. Measured by scan-speed.ts. */
export interface BatchLimits {
  readonly jobs: number;
  readonly bytes: number;
  /** So many short bodies are not worth another thread. */
  readonly short: number;
}

/** How many of the first waiting jobs form the next batch. `share` is the number of waiting jobs per thread. */
export function batchSize(waiting: readonly QueuedJob[], share: number, most: BatchLimits): number {
  let bytes = 0;
  let longer = 0;
  for (let i = 0; i < waiting.length; i += 1) {
    const { job, retried, isSlow, plainBytes } = waiting[i]!;
    const alone = retried || isSlow || plainBytes > LARGE_BYTES;
    bytes += job.bytes.length;
    longer += longerBytesOf(waiting[i]!);
    const isShare = i >= share && (i >= most.short || longer > SMALL_BATCH_BYTES);
    const enough = isShare || i >= most.jobs || bytes > most.bytes;
    if (i > 0 && (enough || alone)) return i;
    if (alone) return 1;
  }
  return waiting.length;
}

/**
 * Copies the bodies into the thread's mailbox, which is unused while the thread has no batch. `fill` copies at the
 * speed of memory. `set` and `copy` take twelve times as long on shared memory, because another thread may read each
 * element meanwhile.
 */
export function copyToMailbox(jobs: readonly QueuedJob[], mailbox: Buffer): BatchEntry[] {
  let from = 0;
  return jobs.map(({ kind, job: { bytes, ...job }, slot }) => {
    const to = from + bytes.length;
    let at = from;
    for (const piece of piecesOf(bytes)) {
      // `fill` throws for an empty source.
      if (piece.length > 0) mailbox.fill(piece, at, at + piece.length);
      at += piece.length;
    }
    const entry = { kind, job, from, to, slot };
    from = to;
    return entry;
  });
}

export function bytesOf(jobs: readonly QueuedJob[]): number {
  let size = 0;
  for (const { job } of jobs) size += job.bytes.length;
  return size;
}

/** The size of a longer body, 0 for a short one. */
export function longerBytesOf({ job }: Pick<QueuedJob, 'job'>): number {
  return job.bytes.length < LONGER_BYTES ? 0 : job.bytes.length;
}
