import { longerBytesOf, SMALL_BATCH_BYTES, type QueuedJob } from './batch.ts';
import type { ScanSpeed } from './scan-speed.ts';

/** By so much a batch may take longer than such batches lately did, before another thread is woken for what waits. */
const WAKE_AFTER_MS = 3;
/** And as much of what they lately took is waited for, at most. */
const MOST_EXPECTED_MS = 6;

/**
 * Whether queued work is worth waking another thread. A thread that wakes up scans its first body at a third of its
 * speed, so small bodies are done sooner by a thread that is already awake, unless they are many. Another one is woken
 * for longer bodies, and when the batch that was sent last takes longer than such batches lately did: then an expensive
 * body is in it.
 */
export interface Waking {
  /** A thread has just been given these. */
  sent(jobs: readonly QueuedJob[]): void;
  isWorthIt(queue: { readonly count: () => number; readonly longerBytes: () => number }): boolean;
}

export function createWaking(scanSpeed: ScanSpeed): Waking {
  let last = { sentAt: 0, longerBytes: 0, ms: 0 };
  return {
    sent(jobs) {
      last = {
        sentAt: performance.now(),
        longerBytes: jobs.reduce((sum, job) => sum + longerBytesOf(job), 0),
        ms: Math.min(MOST_EXPECTED_MS, scanSpeed.msOfShort(jobs.length)),
      };
    },
    isWorthIt(queue) {
      if (queue.count() >= scanSpeed.limits().short) return true;
      if (queue.longerBytes() > SMALL_BATCH_BYTES || last.longerBytes > SMALL_BATCH_BYTES) return true;
      return performance.now() - last.sentAt > last.ms + WAKE_AFTER_MS;
    },
  };
}
