/**
 * The messages between the main thread and a scanning thread: a batch of jobs one way, their outcomes the other way.
 */
import type { CheckOutcome } from './check.ts';
import type { HeldJob, Outcome, ScanJob } from './job.ts';
import type { StreamJob, StreamOutcome } from './stream.ts';

export type Job = ScanJob | StreamJob;
/** One that waits on the main thread. */
export type WaitingJob = HeldJob | StreamJob;
export type JobKind = 'scan' | 'check' | 'stream';
/** The outcome of a job of any kind. */
export type JobOutcome = Outcome | CheckOutcome | StreamOutcome;

/** One job in a batch. Its bytes are not part of the message: they are in the thread's mailbox, from `from` to `to`. */
export interface BatchEntry {
  readonly kind: JobKind;
  readonly job: Omit<Job, 'bytes'>;
  readonly from: number;
  readonly to: number;
  /** Its index in the shared control block. */
  readonly slot: number;
}

export interface Batch {
  readonly entries: readonly BatchEntry[];
  /**
   * A larger mailbox, sent when the previous one was too small. It holds the bytes of this batch and of all later
   * ones.
   */
  readonly mailbox?: Uint8Array;
}

/**
 * The outcomes of the next jobs of a batch, in the order of its entries: of all of them, or of those that have ended so
 * far, if the batch takes long. Null stands for a report without findings, which most of them are.
 */
export type BatchOutcomes = readonly (JobOutcome | null)[];
