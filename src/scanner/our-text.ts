/**
 * A harmless text of our own. If threads cannot scan even that, no sender is the cause: see doubt.ts.
 */
import type { JobOutcome } from '../domain/batch.ts';
import type { ScanJob } from '../domain/job.ts';

/** A text that no signature looks for, and that takes a thread a millisecond. */
const WORDS = 'How many pears are left of';

/** Far longer than it takes on a thread that has just started, on a machine that is shared by many. */
export const OUR_TEXT_MS = 3000;

let asked = 0;

/** It is another one each time: threads do not read again what was clean before. */
export function ourText(): ScanJob {
  asked += 1;
  const body = { messages: [{ role: 'user', content: `${WORDS} ${asked} if I eat two?` }] };
  return {
    bytes: Buffer.from(JSON.stringify(body)),
    wire: 'generic',
    direction: 'request',
    sensitive: false,
    path: '/',
    contentType: 'application/json',
    contentEncoding: '',
  };
}

/** `unknown`: no thread was free for it. */
export type OurResult = 'scanned' | 'failed' | 'unknown';

/** `isRunning`: a thread has it still. Where none has, all of them may be kept busy. */
export function ourResult(outcome: JobOutcome, isRunning: boolean): OurResult {
  if (outcome.kind === 'report') return 'scanned';
  if (outcome.kind === 'overloaded' || (outcome.kind === 'timeout' && !isRunning)) return 'unknown';
  return 'failed';
}
