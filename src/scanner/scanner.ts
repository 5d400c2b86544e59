import type { Checked } from '../domain/check.ts';
import type { Outcome, ScanJob } from '../domain/job.ts';
import type { StreamJob, StreamOutcome } from '../domain/stream.ts';
import type { Problem, Signature } from '../domain/signature.ts';

/** What may be changed of a scanner that is at work. */
export interface Tuning {
  readonly threads: number;
  /** Runs the statistical scanner beside the signatures; a folder of weights in place of the shipped ones. */
  readonly likeness: boolean | string;
  /** From hand-over to verdict, for a body of up to a megabyte. */
  readonly timeoutMs: number;
}

/** Everything the service knows of scanning: bytes in, an outcome out, never a throw. */
export interface Scanner {
  scan(job: ScanJob): Promise<Outcome>;
  /** The body of POST /check: it is parsed where it is scanned, off the main thread. */
  check(job: ScanJob): Promise<Checked>;
  /** One step of a stream. */
  stream(job: StreamJob): Promise<StreamOutcome>;
  /** Null when fine, else the word that /readyz shows. */
  health(): { readonly scanner: string | null; readonly signatures: string | null };
  signatureCount(): number;
  /** Bodies that wait for a thread. */
  depth(): number;
  /**
   * Compiles and proves in new threads, then swaps; whoever holds this scanner goes on with what is new. On problems, and where
   * threads do not start, which throws, everything stays as it was.
   */
  replace(signatures: readonly Signature[], tuning?: Tuning): Promise<readonly Problem[]>;
  close(): Promise<void>;
}
