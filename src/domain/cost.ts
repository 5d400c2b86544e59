/**
 * How fast the whole ruleset scans text that was written to be slow for a signature. Plain data, because it is sent
 * between threads.
 */
export interface SignatureCost {
  /** Null for text written against all signatures at once. */
  readonly signature: string | null;
  /** The kind of hostile text, named as in docs/signatures.md. */
  readonly kind: string;
  readonly mbPerSecond: number;
}

/** Slower than this, a sender could stop the proxy with a handful of requests. */
export const SLOWEST_MB_PER_SECOND = 10;
