/**
 * Limits how many bytes of long bodies are read in one turn of the event loop. Node reads up to two megabytes of a
 * connection before it looks at the next one, so that with eight uploads all other calls wait for sixteen.
 */
export interface ReadingTurn {
  /** Counts what was read. True when that was enough for this turn: `goOn` is called in the next one. */
  isOver(bytes: number, goOn: () => void): boolean;
}

const MOST_BYTES = 524_288;

export function createReadingTurn(most = MOST_BYTES): ReadingTurn {
  let read = 0;
  let paused: (() => void)[] = [];

  function begin(): void {
    read = 0;
    const next = paused;
    paused = [];
    for (const goOn of next) goOn();
  }

  return {
    isOver(bytes, goOn) {
      if (read === 0) setImmediate(begin);
      read += bytes;
      if (read <= most) return false;
      paused.push(goOn);
      return true;
    },
  };
}
