/**
 * The clock of the scanner: real time without the stalls of the main thread. While the main thread is stalled, or the
 * whole process is not given a CPU core, no work is handed over and no answer collected. So waiting tasks would exceed
 * their deadlines although the scanning threads are free, and threads would seem stuck that are not. In open mode that
 * would let bodies pass unscanned, and a sender can cause stalls by sending much at once.
 */
export interface Clock {
  /** Never less than before: it waits for the next tick where that is late. */
  now(): number;
  /** Called every TICK_MS. A call that comes late shows for how long the main thread was stalled. */
  tick(): void;
}

export const TICK_MS = 10;
/** Timers are often late by this much, without anything being wrong. */
const USUAL_MS = 10;

export function createClock(real: () => number = () => performance.now()): Clock {
  let stalled = 0;
  /** What the clock may show at most before the next tick, and by when that is due, in real time. */
  let dueBy = real() + TICK_MS + USUAL_MS;
  return {
    now: () => Math.min(real(), dueBy) - stalled,
    tick() {
      const now = real();
      stalled += Math.max(0, now - dueBy);
      dueBy = now + TICK_MS + USUAL_MS;
    },
  };
}
