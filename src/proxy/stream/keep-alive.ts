/** Balancers give up on a connection that is silent for a minute; a comment is nothing to every reader of events. */
const EVERY_MS = 15_000;
const COMMENT = ': keep-alive\n\n';

export interface KeepAlive {
  /** Something went out. */
  spoke(): void;
  stop(): void;
}

/**
 * Says a word for a stream that is held back. Only while something waits: a stream whose upstream is silent stays byte for byte
 * what it is.
 */
export function createKeepAlive(mayWrite: () => boolean, write: (comment: string) => void): KeepAlive {
  const timer = setInterval(() => {
    if (mayWrite()) write(COMMENT);
  }, EVERY_MS);
  timer.unref();
  return {
    spoke: () => void timer.refresh(),
    stop: () => clearInterval(timer),
  };
}
