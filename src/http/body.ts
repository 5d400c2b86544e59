import type { IncomingMessage } from 'node:http';
import { readingRoomOf, type Place, type ReadingRoom } from './reading-room.ts';

/** The bytes of a request, whole and bounded. Nothing is forwarded before the last one is here and judged. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer | null }
  | { readonly kind: 'refused'; readonly type: 'payload_too_large' | 'request_timeout' | 'overloaded' }
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
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Body) => void,
  room: ReadingRoom = (everybody ??= readingRoomOf()),
): void {
  if (!hasBody(request)) {
    done({ kind: 'bytes', bytes: null });
    return;
  }
  if (announcedTooLarge(request, limit)) {
    done(TOO_LARGE);
    return;
  }
  const announced = request.headers['content-length'];
  const gathered = createGathering(announced === undefined ? null : Number(announced));
  let place: Place | null = null;
  let settled = false;

  const settle = (body: Body): void => {
    if (settled) return;
    settled = true;
    request.off('data', onData);
    done(body);
    place?.giveBack();
  };
  const onData = (chunk: Buffer): void => {
    const size = gathered.add(chunk);
    if (size > limit) settle(TOO_LARGE);
    else if (size >= LONG_BYTES && place === null) {
      let isIn = false;
      place = room.take(announced === undefined ? limit : Number(announced), {
        come() {
          isIn = true;
          gathered.widen();
          request.resume();
        },
        read: gathered.size,
        leave: (why) => settle(why === 'slow' ? TOO_SLOW : CROWDED),
      });
      if (!isIn) request.pause();
    }
  };
  request.on('data', onData);
  request.once('end', () => settle({ kind: 'bytes', bytes: gathered.whole() }));
  // Also after `end`, when it is harmless; `error` alone is silent for a client that simply goes away.
  request.once('close', () => settle({ kind: 'client-left' }));
  request.once('error', () => settle({ kind: 'client-left' }));
}

const TOO_LARGE = { kind: 'refused', type: 'payload_too_large' } as const;
const TOO_SLOW = { kind: 'refused', type: 'request_timeout' } as const;
const CROWDED = { kind: 'refused', type: 'overloaded' } as const;

/** Asked for when the first long body comes: a process may be put under its limit after it has started. */
let everybody: ReadingRoom | null = null;

/** Read without asking. Whoever announces a long body has to send so much of it before there is room for the rest. */
const LONG_BYTES = 65_536;

const EMPTY = Buffer.alloc(0);

interface Gathering {
  /** Answers how many there are by now. */
  readonly add: (chunk: Buffer) => number;
  readonly size: () => number;
  /** Makes room for all that was announced. */
  readonly widen: () => void;
  readonly whole: () => Buffer;
}

/**
 * Most bodies come in one piece and are not copied. A long one is written into its place piece by piece as it comes: put
 * together at its end, ten megabytes hold up everybody else, and take their memory twice.
 */
function createGathering(announced: number | null): Gathering {
  let pieces: Buffer[] = [];
  let place: Buffer | null = null;
  let size = 0;
  return {
    add(chunk) {
      if (place === null) pieces.push(chunk);
      else chunk.copy(place, size);
      size += chunk.length;
      return size;
    },
    size: () => size,
    widen() {
      if (announced === null || announced <= size) return;
      place = Buffer.allocUnsafeSlow(announced);
      let at = 0;
      for (const piece of pieces) at += piece.copy(place, at);
      pieces = [];
    },
    whole: () => place ?? (pieces.length > 1 ? Buffer.concat(pieces, size) : (pieces[0] ?? EMPTY)),
  };
}

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
