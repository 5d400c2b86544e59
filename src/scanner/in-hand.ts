import { progressOf } from './control.ts';

/**
 * The batch that a thread is working on, and whether the thread still proceeds with it. Only a thread that does not is at
 * fault. A thread that proceeds is merely slow, which a sender can cause with expensive text, or with much of it at
 * once: what waits for it is refused as overload, and never let through.
 */
export interface InHand {
  readonly at: number;
  readonly bytes: number;
  readonly slots: readonly number[];
  /** When the last progress was seen, and the mark of that moment. */
  movedAt: number;
  mark: number;
}

/**
 * Longest time without progress. Between two beats a scan makes one engine call, which takes a fraction of a millisecond,
 * or reads a large body, which takes longer the larger it is. Measured with six threads on one core.
 */
const STILL = { ms: 250, bytesPerMs: 20_000 } as const;
/** A thread that is not given a CPU core neither begins a batch nor sends its answer. It is given up after this time. */
const WAKING_MS = 1000;

export function inHand(slots: readonly number[], bytes: number, now: number): InHand {
  return { at: now, bytes, slots, movedAt: now, mark: 0 };
}

/** Looks whether the thread has proceeded since the last look. */
export function isStuck(hand: InHand, control: Int32Array, now: number): boolean {
  const { mark, begun, ended } = progressOf(control, hand.slots);
  if (mark !== hand.mark) {
    hand.mark = mark;
    hand.movedAt = now;
    return false;
  }
  const still = now - hand.movedAt;
  return begun && !ended ? still > STILL.ms + hand.bytes / STILL.bytesPerMs : still > WAKING_MS;
}
