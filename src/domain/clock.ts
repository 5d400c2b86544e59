/**
 * A clock for deadlines: real time without the stalls of the main thread. While the main thread is stalled, or the whole
 * process is not given a CPU core, no work is handed over and no answer is read. So what waits would exceed its deadline
 * although threads are free and upstreams have answered, and threads would seem stuck that are not. In open mode that
 * would let bodies pass unscanned, and a sender can cause stalls by sending much at once.
 */
export interface Clock {
  /** Never less than before: it waits for the next tick where that is late. */
  now(): number;
  /** Called every `tickMs`. A call that comes late shows for how long the main thread was stalled. */
  tick(): void;
}

/** Timers are often late by this much, without anything being wrong. */
const USUAL_MS = 10;

export function createClock(tickMs: number, real: () => number = () => performance.now()): Clock {
  let stalled = 0;
  /** What the clock may show at most before the next tick, and by when that is due, in real time. */
  let dueBy = real() + tickMs + USUAL_MS;
  return {
    now: () => Math.min(real(), dueBy) - stalled,
    tick() {
      const now = real();
      stalled += Math.max(0, now - dueBy);
      dueBy = now + tickMs + USUAL_MS;
    },
  };
}
