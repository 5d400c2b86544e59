/**
 * The control block: a few integers in shared memory through which the main thread and a scanning thread communicate
 * during a scan. Messages do not work for this, because a thread that is busy in native code reads none. Every task in
 * flight owns one slot. The pool passes the slot number along with the job and takes it back when the task has ended.
 *
 *   [state]    0 free or still queued, 1 running, 2 ended. Written by the scanning thread.
 *   [cancel]   1 when the result is no longer wanted, otherwise 0. Written by the main thread, read between slices.
 *   [thread]   threadId of the thread that runs the task, so that the watchdog knows which one to terminate.
 *   [started]  Date.now() modulo 2^31 at the start of the task. Both sides read the machine's clock, so they agree.
 *   [took]     Duration in microseconds, once the task has ended.
 *   [beats]    Incremented whenever the scan asks whether it is cancelled. A scan whose beats stand still is stuck.
 *   [made]     How many patterns have been compiled for it so far. A scan on a thread that knows them takes less.
 *
 * After the slots follows one more integer, the number of scans begun. Fault injection uses it (faults.ts).
 */
const SLOT_INTS = 7;

const SLOT = { state: 0, cancel: 1, thread: 2, started: 3, took: 4, beats: 5, made: 6 } as const;
const STATE = { running: 1, ended: 2 } as const;

const CLOCK_MASK = 0x7fffffff;

export function createControl(slots: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer((slots * SLOT_INTS + 1) * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Main thread, before the job is handed over: resets what the previous task in this slot left, such as its cancel flag.
 */
export function clearSlot(control: Int32Array, slot: number): void {
  const base = slot * SLOT_INTS;
  for (let i = 0; i < SLOT_INTS; i++) Atomics.store(control, base + i, 0);
}

/** Main thread: the result is no longer wanted. The scan ends at its next slice. */
export function cancelSlot(control: Int32Array, slot: number): void {
  Atomics.store(control, slot * SLOT_INTS + SLOT.cancel, 1);
}

/**
 * Main thread: which thread runs the task of this slot and for how long, or null when the task is queued or has ended.
 */
export function runningFor(control: Int32Array, slot: number, now = Date.now()): { thread: number; ms: number } | null {
  const base = slot * SLOT_INTS;
  if (Atomics.load(control, base + SLOT.state) !== STATE.running) return null;
  const ms = ((now & CLOCK_MASK) - Atomics.load(control, base + SLOT.started)) & CLOCK_MASK;
  return { thread: Atomics.load(control, base + SLOT.thread), ms };
}

/** Main thread: duration of an ended scan in milliseconds, without the time for the hand-over. */
export function scanMsOf(control: Int32Array, slot: number): number {
  return Atomics.load(control, slot * SLOT_INTS + SLOT.took) / 1000;
}

/** How far a thread has come with a batch. `counter` changes whenever it has proceeded. */
export interface Progress {
  readonly counter: number;
  readonly hasBegun: boolean;
  /** All tasks have ended; the answer is on its way to the main thread. */
  readonly hasEnded: boolean;
}

/** Main thread: the progress of the batch with these slots. */
export function progressOf(control: Int32Array, slots: readonly number[]): Progress {
  let counter = 0;
  let endedCount = 0;
  for (const slot of slots) {
    const base = slot * SLOT_INTS;
    const state = Atomics.load(control, base + SLOT.state);
    if (state === STATE.ended) endedCount += 1;
    counter = (counter + state + Atomics.load(control, base + SLOT.beats)) | 0;
  }
  return { counter, hasBegun: counter !== 0, hasEnded: endedCount === slots.length };
}

/** Scanning thread: the task starts. */
export function enterSlot(control: Int32Array, slot: number, thread: number): void {
  const base = slot * SLOT_INTS;
  Atomics.store(control, base + SLOT.thread, thread);
  Atomics.store(control, base + SLOT.started, Date.now() & CLOCK_MASK);
  Atomics.store(control, base + SLOT.state, STATE.running);
}

/** Scanning thread: the task has ended after `ms` milliseconds. */
export function leaveSlot(control: Int32Array, slot: number, ms: number): void {
  Atomics.store(control, slot * SLOT_INTS + SLOT.took, ms * 1000);
  Atomics.store(control, slot * SLOT_INTS + SLOT.state, STATE.ended);
}

/** Main thread: whether patterns had to be compiled for the task of this slot. */
export function hasCompiled(control: Int32Array, slot: number): boolean {
  return Atomics.load(control, slot * SLOT_INTS + SLOT.made) > 0;
}

/**
 * Scanning thread, between slices: whether to stop. Being asked shows the main thread that the scan proceeds. `made`: how
 * many patterns were compiled for it.
 */
export function isCancelled(control: Int32Array, slot: number, made = 0): boolean {
  control[slot * SLOT_INTS + SLOT.beats]! += 1;
  if (made > 0) control[slot * SLOT_INTS + SLOT.made] = made;
  return Atomics.load(control, slot * SLOT_INTS + SLOT.cancel) === 1;
}

/** Scanning thread: the number of this scan, counted from 1 over all threads. */
export function countScan(control: Int32Array): number {
  return Atomics.add(control, control.length - 1, 1) + 1;
}
