/**
 * How the main thread and a scanning thread see each other during one scan: a few integers in shared memory, because a
 * thread that is busy in native code reads no message. Every task in flight owns one slot; the pool hands the slot's
 * number over with the job and takes it back when the task has ended.
 *
 *   [state]    0 free or still queued, 1 running, 2 ended. Written by the scanning thread.
 *   [cancel]   0, or 1 when nobody waits for the answer any more. Written by the main thread, read between slices.
 *   [thread]   threadId of the thread that runs it, so that a watchdog knows which one to end.
 *   [started]  Date.now() modulo 2^31 when it began: the clock is the machine's, so both sides agree on it.
 *   [took]     Microseconds, once it has ended.
 *
 * Behind the slots stands one more integer, the number of scans begun: faults that are asked for go by it.
 */
const SLOT_INTS = 5;

const SLOT = { state: 0, cancel: 1, thread: 2, started: 3, took: 4 } as const;
const STATE = { idle: 0, running: 1, ended: 2 } as const;

const CLOCK_MASK = 0x7fffffff;

export function createControl(slots: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer((slots * SLOT_INTS + 1) * Int32Array.BYTES_PER_ELEMENT));
}

/** Main thread, before the job is handed over: the slot's last user must leave no cancel behind. */
export function clearSlot(control: Int32Array, slot: number): void {
  const base = slot * SLOT_INTS;
  for (let i = 0; i < SLOT_INTS; i++) Atomics.store(control, base + i, 0);
}

/** Main thread: the answer is no longer wanted. The scan ends at its next slice. */
export function cancelSlot(control: Int32Array, slot: number): void {
  Atomics.store(control, slot * SLOT_INTS + SLOT.cancel, 1);
}

/** Main thread: which thread runs this slot and for how long, or null when it waits or has ended. */
export function runningFor(control: Int32Array, slot: number, now = Date.now()): { thread: number; ms: number } | null {
  const base = slot * SLOT_INTS;
  if (Atomics.load(control, base + SLOT.state) !== STATE.running) return null;
  const ms = ((now & CLOCK_MASK) - Atomics.load(control, base + SLOT.started)) & CLOCK_MASK;
  return { thread: Atomics.load(control, base + SLOT.thread), ms };
}

/** Main thread: milliseconds of a scan that has ended, without the way there and back. */
export function tookIn(control: Int32Array, slot: number): number {
  return Atomics.load(control, slot * SLOT_INTS + SLOT.took) / 1000;
}

/** Scanning thread. */
export function enterSlot(control: Int32Array, slot: number, thread: number): void {
  const base = slot * SLOT_INTS;
  Atomics.store(control, base + SLOT.thread, thread);
  Atomics.store(control, base + SLOT.started, Date.now() & CLOCK_MASK);
  Atomics.store(control, base + SLOT.state, STATE.running);
}

/** Scanning thread. */
export function leaveSlot(control: Int32Array, slot: number, ms: number): void {
  Atomics.store(control, slot * SLOT_INTS + SLOT.took, ms * 1000);
  Atomics.store(control, slot * SLOT_INTS + SLOT.state, STATE.ended);
}

/** Scanning thread, between slices. */
export function isCancelled(control: Int32Array, slot: number): boolean {
  return Atomics.load(control, slot * SLOT_INTS + SLOT.cancel) === 1;
}

/** Scanning thread: this scan's number among those of all threads, from 1. */
export function countScan(control: Int32Array): number {
  return Atomics.add(control, control.length - 1, 1) + 1;
}
