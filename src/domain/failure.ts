import type { Outcome } from './job.ts';
import { refuse, unreadableRequest, type Refusal } from './refusal.ts';

/** The failure table: what happens to an exchange whose scan did not end in a report. */

export interface FailurePolicy {
  readonly failure_mode: 'open' | 'closed';
  readonly overload: 'shed' | 'failure_mode';
  /** Prompts sent as token ids: numbers, which the scanner cannot read. */
  readonly token_ids: 'allow' | 'block';
}

/** Any outcome of a scan other than a report. */
export type Failure = Exclude<Outcome, { kind: 'report' }>;

/**
 * The refusal for a failed scan. Null means that the text is forwarded and marked as unscanned. A failure that the
 * sender caused is refused in every mode.
 */
export function refusalForFailure(failure: Failure, policy: FailurePolicy): Refusal | null {
  switch (failure.kind) {
    case 'unreadable':
      // In closed mode these are failures like any other. In open mode a failure lets the request through, and a
      // sender must not be able to obtain that by padding a body, or by text that takes all memory of a thread.
      if (policy.failure_mode === 'closed' && failure.reason === 'scan-budget') return refuse('scanner_timeout');
      if (policy.failure_mode === 'closed' && failure.reason === 'scanner-crash') return refuse('scanner_error');
      return unreadableRequest(failure.reason);
    case 'overloaded':
      return policy.overload === 'shed' || policy.failure_mode === 'closed' ? refuse('overloaded') : null;
    case 'abandoned':
      // Nobody reads this refusal. It is one so that nothing goes on unscanned.
      return refuse('overloaded');
    case 'timeout':
      return policy.failure_mode === 'closed' ? refuse('scanner_timeout') : null;
    case 'error':
      if (policy.failure_mode === 'closed') return refuse('scanner_error');
      // Its thread died, and there was no time to try again. The body can have been the cause, or one beside it.
      return failure.reason === 'crash' ? refuse('overloaded') : null;
  }
}

/**
 * Kinds of unscanned content that hold, or may hold, text. Images and audio hold none, and content that the body only
 * refers to was never part of it.
 */
const KINDS_WITH_TEXT: ReadonlySet<string> = new Set(['token-ids', 'pdf', 'archive', 'binary']);

/** Whether all text of a body was read, so that the body counts as scanned. */
export function isFullyScanned(unscannable: Readonly<Record<string, number>>): boolean {
  for (const kind in unscannable) if (KINDS_WITH_TEXT.has(kind)) return false;
  return true;
}

/** The failure as a metrics label. The set of labels is closed. */
export function failureReason(failure: Failure): string {
  switch (failure.kind) {
    case 'unreadable':
      return failure.reason;
    case 'overloaded':
    case 'abandoned':
      return failure.kind;
    case 'timeout':
      return `${failure.phase}-timeout`;
    case 'error':
      return failure.reason;
  }
}
