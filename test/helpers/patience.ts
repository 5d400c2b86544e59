/** How long a test waits for what must come. Only what is broken takes that long: how fast a thing is, a test says with bounds of its own. */
export const PATIENCE_MS = 120_000;
