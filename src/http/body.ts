import type { IncomingMessage } from 'node:http';
import { readingRoomOf, type ReadingRoom, type Reservation } from './reading-room.ts';

/** The complete body of a request. Nothing is forwarded before all of it has arrived and been scanned. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer | null }
  | { readonly kind: 'refused'; readonly type: 'payload_too_large' | 'request_timeout' | 'overloaded' }
  | { readonly kind: 'client-left' };

/** Whether the request head announces a body. A request with neither header has no body, whatever its method. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
}

/**
 * Whether Content-Length is above the limit. Needs only the head, so it can be checked before `100 Continue` is sent.
 */
export function announcedTooLarge(request: IncomingMessage, limit: number): boolean {
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > limit;
}

/**
 * Reads the body into memory, up to `limit` bytes. It takes a callback and returns no promise, because it is on the hot
 * path of every call and has no failure to throw. `done` is called once.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Body) => void,
  room: ReadingRoom = (sharedRoom ??= readingRoomOf()),
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
  let reservation: Reservation | null = null;
  let settled = false;

  const settle = (body: Body): void => {
    if (settled) return;
    settled = true;
    request.off('data', onData);
    try {
      done(body);
    } finally {
      reservation?.giveBack();
    }
  };
  const onData = (chunk: Buffer): void => {
    const size = gathered.add(chunk);
    if (size > limit) settle(TOO_LARGE);
    else if (size >= LONG_BYTES && reservation === null) {
      let isIn = false;
      reservation = room.take(announced === undefined ? limit : Number(announced), {
        onAdmitted() {
          isIn = true;
          gathered.widen();
          request.resume();
        },
        bytesRead: gathered.size,
        onEvicted: (why) => settle(why === 'slow' ? TOO_SLOW : OVERLOADED),
      });
      if (!isIn) request.pause();
    }
  };
  request.on('data', onData);
  request.once('end', () => settle({ kind: 'bytes', bytes: gathered.whole() }));
  // `close` is emitted after `end` too, when it has no effect. `error` is not emitted for a client that simply
  // disconnects.
  request.once('close', () => settle({ kind: 'client-left' }));
  request.once('error', () => settle({ kind: 'client-left' }));
}

const TOO_LARGE = { kind: 'refused', type: 'payload_too_large' } as const;
const TOO_SLOW = { kind: 'refused', type: 'request_timeout' } as const;
const OVERLOADED = { kind: 'refused', type: 'overloaded' } as const;

/**
 * The default room. Created with the first request, not at startup: a memory limit may be set after the process has
 * started.
 */
let sharedRoom: ReadingRoom | null = null;

/**
 * Up to this size no reservation is needed. A client that announces a long body must send this much before room is
 * reserved.
 */
const LONG_BYTES = 65_536;

const EMPTY = Buffer.alloc(0);

interface Gathering {
  /** Returns the number of bytes so far. */
  readonly add: (chunk: Buffer) => number;
  readonly size: () => number;
  /** Allocates one buffer for the whole announced length. */
  readonly widen: () => void;
  readonly whole: () => Buffer;
}

/**
 * Collects the chunks of a body. Most bodies arrive in one chunk, which is not copied. The chunks of a long body with a
 * known length are copied into one buffer as they arrive. To join them at the end would block the event loop for ten
 * megabytes of copying, and need twice the memory for a moment.
 */
function createGathering(announced: number | null): Gathering {
  let pieces: Buffer[] = [];
  let joined: Buffer | null = null;
  let size = 0;
  return {
    add(chunk) {
      if (joined === null) pieces.push(chunk);
      else chunk.copy(joined, size);
      size += chunk.length;
      return size;
    },
    size: () => size,
    widen() {
      if (announced === null || announced <= size) return;
      joined = Buffer.allocUnsafeSlow(announced);
      let at = 0;
      for (const piece of pieces) at += piece.copy(joined, at);
      pieces = [];
    },
    whole: () => joined ?? (pieces.length > 1 ? Buffer.concat(pieces, size) : (pieces[0] ?? EMPTY)),
  };
}
