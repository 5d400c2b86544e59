import type { Bytes } from './bytes.ts';
import type { Finding } from './finding.ts';

/** The provider format, which tells where text is in a body. `auto` derives it from the path. */
export const WIRES = ['auto', 'openai', 'anthropic', 'ollama', 'generic'] as const;
export type WireName = (typeof WIRES)[number];

export type Direction = 'request' | 'response';

/** A body for a scanning thread, with how to read it. The main thread never parses it. */
export interface ScanJob {
  readonly bytes: Uint8Array;
  readonly wire: WireName;
  readonly direction: Direction;
  /**
   * Whether to look for secrets and personal data: always in responses, in requests only when the policy asks for it.
   */
  readonly sensitive: boolean;
  /** The path that the upstream will see, without the query. It selects the format, never whether text is scanned. */
  readonly path: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** How long it may be when it is unpacked: a body that is sent plainly has the same limit. */
  readonly maxBytes?: number;
  /**
   * Whether to report the secrets in the application's own instructions, so that the response can be checked for
   * them.
   */
  readonly collectSecrets?: boolean;
  /** Texts that must not occur in the body, whatever the signatures find. */
  readonly forbidden?: Forbidden | null;
  /** The ids of signatures whose matches are replaced before the body is judged. */
  readonly maskedSignatures?: readonly string[];
}

/** The same on the main thread. */
export type HeldJob = Omit<ScanJob, 'bytes'> & { readonly bytes: Bytes };

/**
 * Texts that must not appear in a response: canaries set by the operator, and secrets from the request. Never logged.
 */
export interface Forbidden {
  readonly canaries: readonly string[];
  readonly secrets: readonly string[];
}

/** Why a body could not be read. The sender chose its form, so it is refused in every failure mode. */
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
  | 'scan-budget'
  /** Its readings fill the memory of the process, whatever else is given up for them. */
  | 'scan-memory'
  /** Two threads died while they scanned it, the second time with nothing beside it. */
  | 'scanner-crash';

/** The result of a completed scan. */
export interface Report {
  readonly kind: 'report';
  readonly findings: readonly Finding[];
  /** Content that the scanner knows it cannot read, counted by kind: token ids, audio, and so on. */
  readonly unscannable: Readonly<Record<string, number>>;
  /** Why the rest of the body could not be read: findings are those of what stands before it. */
  readonly unread?: UnreadableReason;
  /** Requested by `collectSecrets`, where there are any. Kept in memory with the exchange and nowhere else. */
  readonly secrets?: readonly string[];
  /**
   * Requested by `maskedSignatures`: the body with its values replaced. `findings` is about this body. Null when it
   * cannot be rewritten.
   */
  readonly masked?: { readonly bytes: Uint8Array; readonly count: number } | null;
}

/**
 * How a scan ends: with a report, with a body that the sender made unreadable, or with a failure of ours. It is not a
 * boolean, because "clean" and "unknown" differ, and only the policy may decide what "unknown" means.
 */
export type Outcome =
  | Report
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }
  | { readonly kind: 'timeout'; readonly phase: 'queue' | 'run' }
  | { readonly kind: 'error'; readonly reason: 'crash' | 'threads-die' | 'engine' | 'not-ready' }
  | { readonly kind: 'overloaded' }
  /** Nobody waits for it any more: its client has left. */
  | { readonly kind: 'abandoned' };
