/** What goes to a scanning thread in one hand-over, and what comes back. */
import type { Checked } from './check.ts';
import type { Outcome, ScanJob } from './job.ts';
import type { StreamJob, StreamOutcome } from './stream.ts';

export type Job = ScanJob | StreamJob;
export type JobKind = 'scan' | 'check' | 'stream';
export type Ended = Outcome | Checked | StreamOutcome;

/** One job as it travels: its bytes stand in the mailbox of the thread. */
export interface Entry {
  readonly kind: JobKind;
  readonly job: Omit<Job, 'bytes'>;
  readonly from: number;
  readonly to: number;
  /** Its place in the shared control block. */
  readonly slot: number;
}

export interface Batch {
  readonly entries: readonly Entry[];
  /** From now on, and for these already: the one before was too small. */
  readonly mailbox?: Uint8Array;
}

/** In the order of the entries. Null stands for the report that nothing was found, which is most of them. */
export type Answers = readonly (Ended | null)[];
