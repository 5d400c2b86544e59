/**
 * A stack of cleanup functions, one for each resource that was opened. They run in reverse order, both after a failed
 * start and at a normal shutdown.
 */
export type Opened = (() => Promise<void> | void)[];

export async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}
