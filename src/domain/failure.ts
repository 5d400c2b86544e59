import type { Outcome } from './job.ts';
import { refuse, unreadable, type Refusal } from './refusal.ts';

/** What a scan that did not end in a report does to the exchange: the failure table of the design, and nothing else. */

export interface FailurePolicy {
  readonly failure_mode: 'open' | 'closed';
  readonly overload: 'shed' | 'failure_mode';
  /** Prompts sent as numbers: text that nobody here can read. */
  readonly token_ids: 'allow' | 'block';
}

export type Failure = Exclude<Outcome, { kind: 'report' }>;

/** Null: the text goes on unscanned, and is said to be. What the sender chose is refused in every mode. */
export function onFailure(failure: Failure, policy: FailurePolicy): Refusal | null {
  switch (failure.kind) {
    case 'unreadable':
      // In closed mode it is a timeout like any other. In open mode that would let it pass, which a body's filling must not buy.
      if (failure.reason === 'scan-budget' && policy.failure_mode === 'closed') return refuse('scanner_timeout');
      return unreadable(failure.reason);
    case 'overloaded':
      return policy.overload === 'shed' || policy.failure_mode === 'closed' ? refuse('overloaded') : null;
    case 'timeout':
      return policy.failure_mode === 'closed' ? refuse('scanner_timeout') : null;
    case 'error':
      return policy.failure_mode === 'closed' ? refuse('scanner_error') : null;
  }
}

/** Kinds of content that hold, or may hold, text that was not read. Pictures and sound are not text; what stands elsewhere never came. */
const UNREAD_TEXT: ReadonlySet<string> = new Set(['token-ids', 'pdf', 'archive', 'binary']);

export function readWhole(unscannable: Readonly<Record<string, number>>): boolean {
  for (const kind in unscannable) if (UNREAD_TEXT.has(kind)) return false;
  return true;
}

/** For the counters: a closed set. */
export function failureReason(failure: Failure): string {
  switch (failure.kind) {
    case 'unreadable':
      return failure.reason;
    case 'overloaded':
      return 'overloaded';
    case 'timeout':
      return `${failure.phase}-timeout`;
    case 'error':
      return failure.reason;
  }
}
