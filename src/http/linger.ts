import type { IncomingMessage } from 'node:http';

const LINGER_BYTES = 1_048_576;
const LINGER_MS = 2000;

/**
 * After an early refusal: reads and discards a limited amount of the remaining body before the connection is closed.
 * Closing a connection with unread bytes resets it, and the client would lose the response. Without the limit, Node
 * would go on reading for as long as the client sends. `done` is called once.
 */
export function linger(request: IncomingMessage, done: () => void): void {
  let left = LINGER_BYTES;
  const stop = (): void => {
    clearTimeout(timer);
    request.off('end', stop);
    request.off('close', stop);
    done();
  };
  const timer = setTimeout(stop, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    // Stop reading, but do not close yet: the client has the rest of LINGER_MS to read the response.
    if (left < 0) request.pause();
  });
  request.once('end', stop);
  request.once('close', stop);
  request.on('error', () => {});
  request.resume();
}
