/**
 * How much memory this process may come to: the bound of its group, else what it has and what is free on the machine. Asked
 * when it matters and not at the start, because a process may be put under its bound later.
 */
export function memoryLimit(): number {
  const bound = process.constrainedMemory();
  // Without a group some systems say 0, and others a number that no machine has.
  return bound > 0 && bound <= Number.MAX_SAFE_INTEGER ? bound : process.memoryUsage.rss() + process.availableMemory();
}
