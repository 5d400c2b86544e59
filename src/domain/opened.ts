/** What was opened, in its order; each entry closes its part. Closed from its end, be it after a start that failed or after a life. */
export type Opened = (() => Promise<void> | void)[];

export async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}
