/**
 * One clock for all streams. What waits for about the same moment is done at the same moment, so that the steps of many streams
 * reach a scanning thread together: to wake it costs more than a step does.
 */
export interface Beat {
  /** Does it once so much time has passed, or up to a beat later. Gives what takes it back. */
  after(ms: number, work: () => void): () => void;
}

export function createBeat(everyMs: number): Beat {
  const due = new Map<number, Set<() => void>>();

  function strike(beat: number): void {
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
        setTimeout(strike, beat * everyMs - now, beat);
      }
      // A function of its own for each: one that waits twice is done twice.
      const mine = (): void => work();
      const those = all.add(mine);
      return () => void those.delete(mine);
    },
  };
}
