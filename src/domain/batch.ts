/** What goes to a scanning thread in one hand-over, and what comes back. */
import type { Checked } from './check.ts';
import type { Outcome, ScanJob } from './job.ts';
import type { StreamJob, StreamOutcome } from './stream.ts';

export type Job = ScanJob | StreamJob;
export type JobKind = 'scan' | 'check' | 'stream';
export type Ended = Outcome | Checked | StreamOutcome;

/** One job as it travels: its bytes stand in the batch's own. */
export interface Entry {
  readonly kind: JobKind;
  readonly job: Omit<Job, 'bytes'>;
  readonly from: number;
  readonly to: number;
  /** Its place in the shared control block. */
  readonly slot: number;
}

export interface Batch {
  readonly bytes: Uint8Array;
  readonly entries: readonly Entry[];
}

/** In the order of the entries. Null stands for the report that nothing was found, which is most of them. */
export type Answers = readonly (Ended | null)[];
