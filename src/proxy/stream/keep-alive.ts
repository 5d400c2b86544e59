/** Load balancers close a connection that is silent for a minute. SSE clients ignore a comment, except those of Gemini. */
const INTERVAL_MS = 15_000;
const COMMENT = ': keep-alive\n\n';

export interface KeepAlive {
  /** Restarts the interval, because something else was sent. */
  restart(): void;
  stop(): void;
}

/**
 * Sends SSE comments while guard holds frames back. `mayWrite` is false while nothing is held: a stream whose upstream
 * is silent is relayed byte for byte, without comments.
 */
export function createKeepAlive(mayWrite: () => boolean, write: (comment: string) => void): KeepAlive {
  const timer = setInterval(() => {
    if (mayWrite()) write(COMMENT);
  }, INTERVAL_MS);
  timer.unref();
  return {
    restart: () => void timer.refresh(),
    stop: () => clearInterval(timer),
  };
}
