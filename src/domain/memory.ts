/**
 * A larger body is treated individually: its memory is reserved before it is scanned and watched while it is, and its
 * time limit grows with its size.
 */
export const LARGE_BYTES = 1_048_576;

/**
 * How much memory this process may use: the limit of its control group, else what it uses now plus what is free on
 * the machine. Call it when the figure matters rather than once at startup, because a process may be put under a
 * limit later.
 */
export function memoryLimit(): number {
  const bound = process.constrainedMemory();
  // Without a control group, some systems report 0 and others a number larger than any machine has.
  return bound > 0 && bound <= Number.MAX_SAFE_INTEGER ? bound : process.memoryUsage.rss() + process.availableMemory();
}

/** Whether so much of that is used that what can be made anew should be given up. */
export function isMemoryShort(): boolean {
  return usedShare() > SHORT;
}

/** Whether so much of that is used that `more` bytes may be too many. */
export function isMemorySpent(more: number): boolean {
  return usedShare(more) > SPENT;
}

const SHORT = 0.75;
/** Of what counts as used, some 50 MB are the files of the program, which the kernel takes back before it kills. */
const SPENT = 0.9;

function usedShare(more = 0): number {
  return (process.memoryUsage.rss() + more) / memoryLimit();
}
