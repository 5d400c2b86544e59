/** What text written against a signature costs the whole ruleset. It crosses the thread boundary, so it is plain data. */
export interface SignatureCost {
  /** Null for text written against all signatures at once. */
  readonly signature: string | null;
  /** In which way the text is hostile; the words are those of docs/signatures.md. */
  readonly kind: string;
  readonly mbPerSecond: number;
}

/** A sender who could slow a thread below this would have a way to stop the proxy with a handful of calls. */
export const SLOWEST_MB_PER_SECOND = 10;
