/**
 * A shared timer for all streams. Work that is due at about the same time runs in the same tick ("beat"), so that the
 * scan steps of many streams reach a scanning thread in one batch: waking the thread costs more than a step.
 */
export interface SharedTimer {
  /** Runs `work` on the first beat after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export function createSharedTimer(everyMs: number): SharedTimer {
  const due = new Map<number, Set<() => void>>();

  function tick(beat: number): void {
    const all = due.get(beat)!;
    due.delete(beat);
    for (const work of all) work();
  }

  return {
    after(ms, work) {
      const now = performance.now();
      const beat = Math.ceil((now + ms) / everyMs);
      let all = due.get(beat);
      if (all === undefined) {
        all = new Set();
        due.set(beat, all);
        setTimeout(tick, beat * everyMs - now, beat);
      }
      // A new function for each call, so that the same `work` scheduled twice is two members of the Set and runs twice.
      const entry = (): void => work();
      const works = all.add(entry);
      return () => void works.delete(entry);
    },
  };
}
