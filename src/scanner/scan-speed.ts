import { MAX_BATCH_JOBS } from './batch.ts';

/**
 * Estimates from their recent speed how many bytes a thread scans in about 2 ms, and how many short bodies are not worth
 * another thread. The first limits the size of a batch.
 *
 * A conversation whose history is already known is scanned fifty times as fast as new text. Sent alone, it costs a
 * quarter more than as one of six in a batch, mostly for waking the thread.
 */
export interface ScanSpeed {
  /** Reports a scan. `ms` is 0 for a task that was cancelled before it began; it is ignored. */
  measured(bytes: number, ms: number): void;
  /** The largest batch in bytes. It is limited because the first job of a batch waits for the last. */
  maxBatchBytes(): number;
  /**
   * How many short bodies one thread may have while others are free: fewer where they lately took longer. A short text
   * that is full of an attack's words takes ten times as long as another.
   */
  maxShortJobs(): number;
  /** How long so many short bodies may take; 0 while nothing is known. */
  msOfShort(count: number): number;
}

const BATCH_MS = 2;
const MIN_BATCH_BYTES = 32_768;
/** Six conversations of two hundred messages. If one of them is slow after all, it delays no more than those few. */
const MAX_BATCH_BYTES = 524_288;
/** The bytes of shorter bodies are not measured: hardly any of their text can be known already. */
const MIN_MEASURED_BYTES = 8192;
/**
 * To wake another thread for less costs more than it brings: a thread that reads many in a row takes a third less time for
 * each (docs/benchmarks.md).
 */
const SHORT_JOBS_MS = 10;
/** The same where short bodies lately took longer than `LONG_MS` each: that is their text, and no matter of being awake. */
const LONG_JOBS_MS = 4;
const LONG_MS = 1;
/** While nothing is known of them. */
const SHORT_JOBS_AT_FIRST = 8;
/** A thread that has just started takes a hundred times as long for its first body, which is forgotten in a few dozen. */
const NEWEST_COUNTS = 0.1;

export function createScanSpeed(): ScanSpeed {
  let msPerByte = Infinity;
  let msPerShort = 0;
  return {
    measured(bytes, ms) {
      if (ms === 0) return;
      if (bytes < MIN_MEASURED_BYTES) {
        msPerShort += NEWEST_COUNTS * (ms - msPerShort);
        return;
      }
      const latest = ms / bytes;
      // A slow scan takes effect at once, fast ones only gradually.
      msPerByte = msPerByte === Infinity ? latest : Math.max(latest, 0.7 * msPerByte + 0.3 * latest);
    },
    maxBatchBytes: () => Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, BATCH_MS / msPerByte)),
    maxShortJobs() {
      if (msPerShort === 0) return SHORT_JOBS_AT_FIRST;
      const jobs = Math.floor((msPerShort < LONG_MS ? SHORT_JOBS_MS : LONG_JOBS_MS) / msPerShort);
      return Math.min(MAX_BATCH_JOBS, Math.max(1, jobs));
    },
    msOfShort: (count) => count * msPerShort,
  };
}
