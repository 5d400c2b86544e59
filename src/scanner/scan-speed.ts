import { LONGER_BYTES, MAX_BATCH_JOBS, type BatchLimits } from './batch.ts';

/**
 * Estimates from the recent speed of threads what is to go to one of them together: as many bytes as it scans in about
 * 2 ms, and as many short bodies as are not worth another thread.
 *
 * A conversation whose history is already known is scanned fifty times as fast as new text. Sent alone, it costs a
 * quarter more than as one of six in a batch, mostly for waking the thread.
 */
export interface ScanSpeed {
  /** Reports a scan. `ms` is 0 for a task that was cancelled before it began; it is ignored. */
  measured(bytes: number, ms: number): void;
  /**
   * The largest batch: it is limited because others wait for its end. Of short bodies fewer go together, and are worth
   * another thread, where they lately took longer. A short text that is full of an attack's words takes ten times as
   * long as another.
   */
  limits(): BatchLimits;
  /** How long so many short bodies may take; 0 while nothing is known. */
  msOfShort(count: number): number;
}

const BATCH_MS = 2;
const MIN_BATCH_BYTES = 32_768;
/** Six conversations of two hundred messages. If one of them is slow after all, it delays no more than those few. */
const MAX_BATCH_BYTES = 524_288;
/** The pace of smaller bodies is that of new text: hardly any of theirs can be known already. */
const MIN_MEASURED_BYTES = 8192;
/**
 * To wake another thread for less costs more than it brings: a thread that reads many in a row takes a third less time for
 * each (docs/benchmarks.md).
 */
const SHORT_JOBS_MS = 10;
/** The same where short bodies lately took longer than `LONG_MS` each: that is their text, and no matter of being awake. */
const LONG_JOBS_MS = 4;
const LONG_MS = 1;
/** So long a batch of short bodies may take, and so many go together however long they take. */
const JOBS_MS = 16;
const LEAST_JOBS = 8;
/** While nothing is known of them. */
const AT_FIRST = { jobs: 16, short: 8 } as const;
/** A thread that has just started takes a hundred times as long for its first body, which is forgotten in a few dozen. */
const NEWEST_COUNTS = 0.1;

export function createScanSpeed(): ScanSpeed {
  let msPerByte = Infinity;
  let msPerShort = 0;
  return {
    measured(bytes, ms) {
      if (ms === 0) return;
      if (bytes < LONGER_BYTES) msPerShort += NEWEST_COUNTS * (ms - msPerShort);
      if (bytes < MIN_MEASURED_BYTES) return;
      const latest = ms / bytes;
      // A slow scan takes effect at once, fast ones only gradually.
      msPerByte = msPerByte === Infinity ? latest : Math.max(latest, 0.7 * msPerByte + 0.3 * latest);
    },
    limits() {
      const bytes = Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, BATCH_MS / msPerByte));
      if (msPerShort === 0) return { bytes, ...AT_FIRST };
      const inMs = (ms: number, least: number): number =>
        Math.min(MAX_BATCH_JOBS, Math.max(least, Math.floor(ms / msPerShort)));
      const short = inMs(msPerShort < LONG_MS ? SHORT_JOBS_MS : LONG_JOBS_MS, 1);
      return { bytes, jobs: inMs(JOBS_MS, LEAST_JOBS), short };
    },
    msOfShort: (count) => count * msPerShort,
  };
}
