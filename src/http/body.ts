import type { IncomingMessage } from 'node:http';

/** The bytes of a request, whole and bounded. Nothing is forwarded before the last one is here and judged. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer | null }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'client-left' };

/** Whether the head announces a body. A request with neither header has none, whatever its method. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
}

/** Cheap enough to be asked before `100 Continue` is sent. */
export function announcedTooLarge(request: IncomingMessage, limit: number): boolean {
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > limit;
}

/** A callback, not a promise: on the hot path of every call, and there is no failure to throw. */
export function readBody(request: IncomingMessage, limit: number, done: (body: Body) => void): void {
  if (!hasBody(request)) {
    done({ kind: 'bytes', bytes: null });
    return;
  }
  if (announcedTooLarge(request, limit)) {
    done({ kind: 'too-large' });
    return;
  }
  let first: Buffer | null = null;
  let rest: Buffer[] | null = null;
  let size = 0;
  let settled = false;

  const settle = (body: Body): void => {
    if (settled) return;
    settled = true;
    request.off('data', onData);
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) {
      settle({ kind: 'too-large' });
      return;
    }
    if (first === null) first = chunk;
    else (rest ??= [first]).push(chunk);
  };
  request.on('data', onData);
  request.once('end', () => {
    settle({ kind: 'bytes', bytes: rest !== null ? Buffer.concat(rest, size) : (first ?? EMPTY) });
  });
  // Also after `end`, when it is harmless; `error` alone is silent for a client that simply goes away.
  request.once('close', () => settle({ kind: 'client-left' }));
  request.once('error', () => settle({ kind: 'client-left' }));
}

const EMPTY = Buffer.alloc(0);

const LINGER_BYTES = 1_048_576;
const LINGER_MS = 2000;

/**
 * After an early refusal: read on a little before the connection is ended, because closing it over unread bytes resets it
 * and the answer is lost. Then read no more: without the bound Node goes on accepting for as long as the client sends.
 * `done` is called once.
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
    // Not ended yet: its reader gets the rest of the time to find the answer.
    if (left < 0) request.pause();
  });
  request.once('end', stop);
  request.once('close', stop);
  request.on('error', () => {});
  request.resume();
}
