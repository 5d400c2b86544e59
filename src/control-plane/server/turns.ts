/** Runs at most `most` tasks at a time while `mostWaiting` more may wait. Returns null when the queue is full. */
export function createTurns(most: number, mostWaiting: number) {
  const line: (() => void)[] = [];
  let busy = 0;
  return async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
    if (busy >= most) {
      if (line.length >= mostWaiting) return null;
      // A finished task passes its slot on to the next one, so `busy` is not changed here.
      await new Promise<void>((resolve) => line.push(resolve));
    } else busy += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
