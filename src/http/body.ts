import type { IncomingMessage } from 'node:http';
import type { Bytes } from '../domain/bytes.ts';
import { createGathering } from './gathering.ts';
import { createReadingTurn } from './reading-turn.ts';
import { readingRoomOf, type ReadingRoom, type Reservation } from './reading-room.ts';

/** The complete body of a request. Nothing is forwarded before all of it has arrived and been scanned. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Bytes | null }
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
  const gathered = createGathering();
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
  const goOn = (): void => {
    if (!settled) request.resume();
  };
  const onData = (chunk: Buffer): void => {
    const size = gathered.add(chunk);
    if (size > limit) settle(TOO_LARGE);
    else if (reservation !== null) {
      if (turn.isOver(chunk.length, goOn)) request.pause();
    } else if (size >= LONG_BYTES) {
      let isIn = false;
      reservation = room.take(announced === undefined ? limit : Number(announced), {
        onAdmitted() {
          isIn = true;
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

const turn = createReadingTurn();

/**
 * Up to this size no reservation is needed. A client that announces a long body must send this much before room is
 * reserved.
 */
const LONG_BYTES = 65_536;
