import type { Finding } from './finding.ts';

/** Where text sits in a provider's bytes. `auto` lets the path decide. */
export const WIRES = ['auto', 'openai', 'anthropic', 'ollama', 'generic'] as const;
export type WireName = (typeof WIRES)[number];

export type Direction = 'request' | 'response';

/** What the main thread hands to a worker: bytes and how to read them. It never looks inside itself. */
export interface ScanJob {
  readonly bytes: Uint8Array;
  readonly wire: WireName;
  readonly direction: Direction;
  /** Whether secrets and personal data are looked for: always in responses, in requests when the policy asks. */
  readonly sensitive: boolean;
  /** The path the upstream will see, without the query. Decides the wire's shape, never whether text is scanned. */
  readonly path: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Whether the secrets that the application put into its own instructions are told, so that its answer can be held to them. */
  readonly collect?: boolean;
  /** What must not stand in the body, whatever else does. */
  readonly forbidden?: Forbidden | null;
  /** The signatures whose matches are to be replaced before the body is judged. */
  readonly mask?: readonly string[];
}

/** Texts that must not come back in an answer: the operator's, and those of the request it answers. Never logged. */
export interface Forbidden {
  readonly canaries: readonly string[];
  readonly secrets: readonly string[];
}

/** Why a body could not be read. The sender chose it, so it is refused in every failure mode. */
export type UnreadableReason =
  | 'content-encoding'
  | 'charset'
  | 'corrupt-encoding'
  | 'decompression-bomb'
  | 'invalid-text'
  | 'too-many-parts'
  | 'too-many-strings'
  | 'malformed-multipart'
  | 'decode-budget'
  | 'scan-budget';

export interface Report {
  readonly kind: 'report';
  readonly findings: readonly Finding[];
  /** Text the scanner knows that it cannot read, by kind: token ids, audio... Counted, never hidden. */
  readonly unscannable: Readonly<Record<string, number>>;
  /** Asked for by `collect`; kept in the memory of the exchange and nowhere else. */
  readonly secrets?: readonly string[];
  /** Asked for by `mask`: the body with its values replaced, which the findings are about. Null when it cannot be rewritten. */
  readonly masked?: { readonly bytes: Uint8Array; readonly count: number } | null;
}

/**
 * Three ways a scan of ours can end, and a fourth that is the sender's doing. Never a boolean: "no" and "could not
 * tell" differ, and only the policy may decide what the second means.
 */
export type Outcome =
  | Report
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }
  | { readonly kind: 'timeout'; readonly phase: 'queue' | 'run' }
  | { readonly kind: 'error'; readonly reason: 'crash' | 'engine' | 'not-ready' }
  | { readonly kind: 'overloaded' };
