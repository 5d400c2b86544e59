/**
 * Estimates how many bytes a thread scans in about 2 ms, from its recent speed. The size of a batch is limited to that.
 * A conversation whose history is already known is scanned fifty times as fast as new text. Sent alone, it costs a
 * quarter more than as one of six in a batch, mostly for waking the thread.
 */
export interface ScanSpeed {
  /** Reports a scan. `ms` is 0 for a task that was cancelled before it began; it is ignored. */
  measured(bytes: number, ms: number): void;
  /** The largest batch in bytes. It is limited because the first job of a batch waits for the last. */
  maxBatchBytes(): number;
}

const BATCH_MS = 2;
const MIN_BATCH_BYTES = 32_768;
/** Six conversations of two hundred messages. If one of them is slow after all, it delays no more than those few. */
const MAX_BATCH_BYTES = 524_288;
/** Shorter bodies are not measured: hardly any of their text can be known already. */
const MIN_MEASURED_BYTES = 8192;

export function createScanSpeed(): ScanSpeed {
  let msPerByte = Infinity;
  return {
    measured(bytes, ms) {
      if (bytes < MIN_MEASURED_BYTES || ms === 0) return;
      const latest = ms / bytes;
      // A slow scan takes effect at once, fast ones only gradually.
      msPerByte = msPerByte === Infinity ? latest : Math.max(latest, 0.7 * msPerByte + 0.3 * latest);
    },
    maxBatchBytes: () => Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, BATCH_MS / msPerByte)),
  };
}
