/**
 * The clock that deadlines are measured with: real time without the stalls of the main thread. While the main thread is
 * stalled it hands over no work and collects no answers, so waiting tasks would exceed their deadlines although the
 * scanning threads are free. In open mode that would let them pass unscanned, and a sender can cause stalls by sending
 * much at once.
 */
export interface Clock {
  now(): number;
  /** Called every TICK_MS. A call that comes late shows for how long the main thread was stalled. */
  tick(): void;
}

export const TICK_MS = 10;
/** Timers are often late by this much, without anything being wrong. */
const USUAL_MS = 10;

export function createClock(real: () => number = () => performance.now()): Clock {
  let last = real();
  let stalled = 0;
  return {
    now: () => real() - stalled,
    tick() {
      const now = real();
      const late = now - last - TICK_MS;
      if (late > USUAL_MS) stalled += late;
      last = now;
    },
  };
}
