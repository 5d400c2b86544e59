import { readingRoomOf, type Reservation, type ReadingRoom } from '../http/reading-room.ts';
import type { Delivery } from './delivery.ts';

/**
 * Memory reservation for a response that is held in memory until its end. Long ones take turns: otherwise a client that
 * asks for twenty large files at once would have all of them held at the same time. A reservation is kept until the
 * response to the client has been sent or its connection has closed.
 */
export interface MemoryReservation {
  /** Reports how many bytes of this response are held by now. Pauses the upstream when there is no room for more. */
  grewTo(size: number): void;
}

const MB = 1_048_576;
/** Up to this size no reservation is needed. Nearly all responses are shorter. */
const LONG_BYTES = MB;
/** First reservation for a response without Content-Length. One that grows beyond it reserves the maximum. */
const FIRST_RESERVATION_BYTES = 8 * MB;
/**
 * A response is paid for and its client is waiting, so it may wait longer for room than a request body. It has no
 * minimum speed: how fast it arrives depends on the upstream.
 */
const PATIENCE = { waitMs: 30_000, graceMs: Infinity, leastBytesPerS: 0 };
let sharedRoom: ReadingRoom | null = null;

/** `onOverloaded` is called when the response has waited too long for room. */
export function reserveMemory(
  { answer, client, deadline, upstream }: Delivery,
  maxBytes: number,
  onOverloaded: () => void,
  room: ReadingRoom = (sharedRoom ??= readingRoomOf(undefined, PATIENCE)),
): MemoryReservation {
  const length = Number(answer.headers['content-length']);
  let reservedBytes = LONG_BYTES;
  let heldBytes = 0;
  let place: Reservation | null = null;

  function reserve(): void {
    place?.giveBack();
    reservedBytes =
      length > 0
        ? Math.min(length, maxBytes)
        : heldBytes <= FIRST_RESERVATION_BYTES
          ? FIRST_RESERVATION_BYTES
          : maxBytes;
    let isAdmitted = false;
    place = room.take(reservedBytes, {
      onAdmitted() {
        isAdmitted = true;
        deadline.enter('idle', upstream.idleMs);
        answer.resume();
      },
      bytesRead: () => heldBytes,
      onEvicted: onOverloaded,
    });
    if (isAdmitted) return;
    deadline.suspend();
    answer.pause();
  }
  client.once('close', () => place?.giveBack());

  return {
    grewTo(size) {
      heldBytes = size;
      if (heldBytes > reservedBytes) reserve();
    },
  };
}
