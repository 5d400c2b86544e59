import type { Matcher, Signature } from './signature.ts';

/** The share of one scanning thread in proving a set of signatures before they are used. */
export interface ProofTask {
  /**
   * Signatures to prove against all their examples: those that the build has not proven, and a sample of those that
   * it has.
   */
  readonly toProve: readonly Signature[];
  /**
   * All signatures that the build has not proven. The near misses (`ignores`) of those in `toRecheck` are scanned with
   * these alone.
   */
  readonly unproven: readonly Matcher[];
  /** Signatures that the build has proven, but without `unproven`, which might now match their near misses. */
  readonly toRecheck: readonly Signature[];
}
