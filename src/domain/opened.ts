/**
 * A stack of cleanup functions, one for each resource that was opened. They run in reverse order, both after a failed
 * start and at a normal shutdown.
 */
export type Opened = (() => Promise<void> | void)[];

/** One that fails keeps none of the others from running. The first failure is thrown once all have run. */
export async function closeAll(opened: Opened): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
