import type { Matcher, Signature } from './signature.ts';

/** What one scanning thread proves of signatures before they are put to work. */
export interface Proof {
  /** To be held against all their examples. */
  readonly asked: readonly Signature[];
  /** What the build has not proven, and near misses of what it has: whether the first finds the second. */
  readonly others: readonly Matcher[];
  readonly spared: readonly Signature[];
}
