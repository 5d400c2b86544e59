import { progressOf, type Progress } from './control.ts';

/**
 * The batch that a thread is working on, and whether the thread still proceeds with it. Only a thread that does not is at
 * fault. A thread that proceeds is merely slow, which a sender can cause with expensive text, or with much of it at
 * once: what waits for it is refused as overload, and never let through.
 */
export interface InHand {
  readonly at: number;
  readonly bytes: number;
  readonly slots: readonly number[];
  /** What was seen last, and since when it has been the same. */
  progress: Progress;
  movedAt: number;
}

/**
 * Longest time without progress. Between two beats a scan makes one engine call, which takes a fraction of a millisecond,
 * or reads a large body, which takes longer the larger it is. Both leave room for a machine that is shared by many.
 */
const STILL = { ms: 250, bytesPerMs: 20_000 } as const;
/** A thread that is not given a CPU core neither begins a batch nor sends its answer. It is given up after this time. */
const WAKING_MS = 1000;

const NOTHING_YET: Progress = { mark: 0, begun: false, ended: false };

export function inHand(slots: readonly number[], bytes: number, now: number): InHand {
  return { at: now, bytes, slots, progress: NOTHING_YET, movedAt: now };
}

/** Notes whether the thread has proceeded since the last look. */
export function lookAt(hand: InHand, control: Int32Array, now: number): void {
  const progress = progressOf(control, hand.slots);
  if (progress.mark !== hand.progress.mark) hand.movedAt = now;
  hand.progress = progress;
}

/** Whether the thread has not proceeded for longer than it may take, as of the last look. */
export function isStuck({ bytes, movedAt, progress: { begun, ended } }: InHand, now: number): boolean {
  return now - movedAt > (begun && !ended ? STILL.ms + bytes / STILL.bytesPerMs : WAKING_MS);
}
