import { progressOf, type Progress } from './control.ts';

/**
 * The batch that a thread is working on, and whether the thread still proceeds with it. Only a thread that does not is at
 * fault. A thread that proceeds is merely slow, which a sender can cause with expensive text, or with much of it at
 * once: what waits for it is refused as overload, and never let through.
 */
export interface RunningBatch {
  /** How long the bodies may be once they are decompressed. */
  readonly plainBytes: number;
  readonly slots: readonly number[];
  /** What was seen last, and since when it has been the same. */
  progress: Progress;
  progressedAt: number;
}

/**
 * Longest time without progress. Between two beats a scan makes one engine call, which takes a fraction of a millisecond,
 * or one pass over the whole text, which takes longer the larger it is. The slowest known pass reads 5000 bytes in a
 * millisecond. Both leave room for a machine that is shared by many.
 */
const MAX_STILL = { ms: 250, bytesPerMs: 500 } as const;
/** A thread that is not given a CPU core neither begins a batch nor sends its answer. It is given up after this time. */
const MAX_WAKING_MS = 1000;

const NOTHING_YET: Progress = { counter: 0, hasBegun: false, hasEnded: false };

export function createRunningBatch(slots: readonly number[], plainBytes: number, now: number): RunningBatch {
  return { plainBytes, slots, progress: NOTHING_YET, progressedAt: now };
}

/** Notes whether the thread has proceeded since the last look. */
export function noteProgress(batch: RunningBatch, control: Int32Array, now: number): void {
  const progress = progressOf(control, batch.slots);
  if (progress.counter !== batch.progress.counter) batch.progressedAt = now;
  batch.progress = progress;
}

/** Whether the thread has not proceeded for longer than it may take, as of the last look. */
export function isStuck({ plainBytes, progressedAt, progress }: RunningBatch, now: number): boolean {
  const isScanning = progress.hasBegun && !progress.hasEnded;
  return now - progressedAt > (isScanning ? MAX_STILL.ms + plainBytes / MAX_STILL.bytesPerMs : MAX_WAKING_MS);
}
