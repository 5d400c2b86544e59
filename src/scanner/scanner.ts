import type { CheckOutcome } from '../domain/check.ts';
import type { HeldJob, Outcome } from '../domain/job.ts';
import type { StreamJob, StreamOutcome } from '../domain/stream.ts';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';

/** Settings that can be changed while the scanner runs. */
export interface Tuning {
  readonly threads: number;
  /**
   * Whether the statistical scanner runs in addition to the signatures; a string is a folder with other weights for it.
   */
  readonly likeness: boolean | string;
  /** Time limit from hand-over to verdict for a short body. Larger ones get more: see `allowanceFor`. */
  readonly timeoutMs: number;
  /** The longest body that may come. */
  readonly maxBytes?: number;
}

/** Asked every few milliseconds: whether anybody still waits for the outcome. A scan that nobody waits for is ended. */
export type IsWanted = () => boolean;

/** All that the rest of the program knows of scanning: bytes go in, an outcome comes out. A scan never rejects. */
export interface Scanner {
  scan(job: HeldJob, isWanted?: IsWanted): Promise<Outcome>;
  /** Scans the body of POST /check. It is parsed on the scanning thread, not on the main thread. */
  check(job: HeldJob, isWanted?: IsWanted): Promise<CheckOutcome>;
  /** Scans one step of a stream. */
  stream(job: StreamJob, isWanted?: IsWanted): Promise<StreamOutcome>;
  /** Each field is null when fine, otherwise the text that /readyz shows. */
  health(): { readonly scanner: string | null; readonly signatures: string | null };
  signatureCount(): number;
  /** Number of bodies that wait for a thread. */
  depth(): number;
  /**
   * Compiles and proves the signatures in new threads, then swaps these in. This scanner object stays valid and uses
   * the new threads. If the signatures have problems, these are returned; if the threads do not start, it throws. In
   * both cases the old threads continue.
   */
  replace(signatures: readonly Signature[], tuning?: Tuning): Promise<readonly Problem[]>;
  close(): Promise<void>;
}
