/**
 * Estimates from their recent speed how many bytes a thread scans in about 2 ms, and how many short bodies in about 4.
 * The size of a batch is limited to the one, and what is not worth a second thread is judged by the other.
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
   * How many short bodies one thread may have while others are free. Fewer than `MAX_SHORT_JOBS` where they lately took
   * long: a short text that is full of an attack's words takes ten times as long as another.
   */
  maxShortJobs(): number;
}

/** So many ordinary short bodies are scanned before another thread has woken up. */
export const MAX_SHORT_JOBS = 8;

const BATCH_MS = 2;
const MIN_BATCH_BYTES = 32_768;
/** Six conversations of two hundred messages. If one of them is slow after all, it delays no more than those few. */
const MAX_BATCH_BYTES = 524_288;
/** The bytes of shorter bodies are not measured: hardly any of their text can be known already. */
const MIN_MEASURED_BYTES = 8192;
const SHORT_JOBS_MS = 4;
/** To wake another thread for less costs more than it brings (docs/benchmarks.md). */
const LONG_MS = 1;
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
    maxShortJobs: () => (msPerShort < LONG_MS ? MAX_SHORT_JOBS : Math.max(1, Math.floor(SHORT_JOBS_MS / msPerShort))),
  };
}
