import { cancelSlot, clearSlot, runningFor } from './control.ts';

/** The slots of the control block: which are free, and which a thread should have given back by now. */
export interface Slots {
  /** A free slot, made ready; null when there is none. */
  take(): number | null;
  release(slot: number): void;
  /** The task in this slot is to stop as soon as it can. A thread that does not is not at fault yet. */
  stop(slot: number): void;
  /** The result of the task in this slot is no longer wanted. `plainBytes` is how long its body may be when unpacked. */
  cancel(slot: number, plainBytes: number, overdueFrom: number): void;
  /** The threads that are still running a task cancelled long ago. */
  stuckThreads(now: number): readonly number[];
}

/**
 * A cancelled scan ends itself at its next slice, or after the pass over the whole text that it is in. A thread that has
 * not done so after this time is terminated. Its successor needs a second to start.
 */
const KILL_AFTER = { ms: 300, bytesPerMs: 10_000 } as const;

export function createSlots(control: Int32Array, count: number): Slots {
  const free = Array.from({ length: count }, (_, index) => count - 1 - index);
  /** Slots of cancelled tasks, with the time at which a thread that still runs one of them is stuck. */
  const stuckAt = new Map<number, number>();
  return {
    take() {
      const slot = free.pop();
      if (slot === undefined) return null;
      clearSlot(control, slot);
      return slot;
    },
    release(slot) {
      stuckAt.delete(slot);
      free.push(slot);
    },
    stop: (slot) => cancelSlot(control, slot),
    cancel(slot, plainBytes, overdueFrom) {
      cancelSlot(control, slot);
      if (!stuckAt.has(slot)) stuckAt.set(slot, overdueFrom + KILL_AFTER.ms + plainBytes / KILL_AFTER.bytesPerMs);
    },
    stuckThreads(now) {
      const overdue = [...stuckAt].filter(([, from]) => now >= from);
      return overdue.flatMap(([slot]) => runningFor(control, slot)?.thread ?? []);
    },
  };
}
