import { readingRoomOf, type Place, type ReadingRoom } from '../http/reading-room.ts';
import type { Delivery } from './delivery.ts';

/**
 * Answers of which nothing is sent before their end. Long ones take turns, for a client that asks for twenty files at once would
 * have them all held here: a place is kept until its reader has all of it.
 */
export interface AnswerPlace {
  /** So many bytes are held of this one by now. */
  holds(size: number): void;
}

const MB = 1_048_576;
/** Held without asking, as nearly all are. */
const LONG_BYTES = MB;
/** As long as one that does not say its length is thought to be at first. */
const LIKELY_BYTES = 8 * MB;
/** It is paid for and its reader waits, so it waits for longer than a request; and how fast it comes is its upstream's to say. */
const PATIENCE = { waitMs: 30_000, graceMs: Infinity, leastBytesPerS: 0 };
let everybody: ReadingRoom | null = null;

/** `crowded`: it waited for too long. */
export function createAnswerPlace(
  { answer, client, deadline, upstream }: Delivery,
  maxBytes: number,
  crowded: () => void,
  room: ReadingRoom = (everybody ??= readingRoomOf(undefined, PATIENCE)),
): AnswerPlace {
  const length = Number(answer.headers['content-length']);
  let reserved = LONG_BYTES;
  let held = 0;
  let place: Place | null = null;

  function takePlace(): void {
    place?.giveBack();
    reserved = length > 0 ? Math.min(length, maxBytes) : held <= LIKELY_BYTES ? LIKELY_BYTES : maxBytes;
    let isIn = false;
    place = room.take(reserved, {
      come() {
        isIn = true;
        deadline.enter('idle', upstream.idleMs);
        answer.resume();
      },
      read: () => held,
      leave: crowded,
    });
    if (isIn) return;
    deadline.rest();
    answer.pause();
  }
  client.once('close', () => place?.giveBack());

  return {
    holds(size) {
      held = size;
      if (held > reserved) takePlace();
    },
  };
}
