/**
 * A shared timer for all streams. Work that is due at about the same time runs in the same tick, so that the
 * scan steps of many streams reach a scanning thread in one batch: waking the thread costs more than a step.
 */
export interface SharedTimer {
  /** Runs `work` at the first tick after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export function createSharedTimer(everyMs: number): SharedTimer {
  const due = new Map<number, Set<() => void>>();

  function tick(tickNumber: number): void {
    const all = due.get(tickNumber)!;
    due.delete(tickNumber);
    for (const work of all) work();
  }

  return {
    after(ms, work) {
      const now = performance.now();
      const tickNumber = Math.ceil((now + ms) / everyMs);
      let all = due.get(tickNumber);
      if (all === undefined) {
        all = new Set();
        due.set(tickNumber, all);
        // What was cancelled leaves its tick behind, and a process that has drained must not wait for it.
        setTimeout(tick, tickNumber * everyMs - now, tickNumber).unref();
      }
      // A new function for each call, so that the same `work` scheduled twice is two members of the Set and runs twice.
      const entry = (): void => work();
      const works = all.add(entry);
      return () => void works.delete(entry);
    },
  };
}
