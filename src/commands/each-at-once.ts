/**
 * Starts `work` for each item, in their order, and keeps at most `most` of them running. Ends when all have ended, or
 * with the first failure.
 */
export async function eachAtOnce<Item>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of items) {
    const task = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(task));
    running.add(task);
    if (running.size >= most) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
