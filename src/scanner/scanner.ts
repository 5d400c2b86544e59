import type { Checked } from '../domain/check.ts';
import type { Outcome, ScanJob } from '../domain/job.ts';
import type { StreamJob, StreamOutcome } from '../domain/stream.ts';
import type { Problem, Signature } from '../domain/signature.ts';

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
  /** Compiles and proves in new threads, then swaps. On problems the old ruleset stays in force. */
  replace(signatures: readonly Signature[]): Promise<readonly Problem[]>;
  close(): Promise<void>;
}
