import { memoryLimit } from '../domain/memory.ts';

/**
 * Bounds how many bytes of long request bodies are held for upstreams that have not read them. One that accepts every
 * connection and reads nothing would have all bodies of its callers held until `timeout_s`. Short bodies are not counted,
 * and a single long one always has room.
 */
export interface UnsentRoom {
  /** Returns a function that gives the room back, or null when there is none. */
  take(bytes: number): (() => void) | null;
}

const MB = 1_048_576;
/** Shorter bodies fit into the buffers of a connection. */
export const LONG_BYTES = 65_536;
const LEAST = 32 * MB;
const MOST = 1024 * MB;

const NOTHING_TAKEN = (): void => {};

export function createUnsentRoom(limit = memoryLimit()): UnsentRoom {
  const most = Math.min(MOST, Math.max(LEAST, limit / 8));
  let held = 0;
  return {
    take(bytes) {
      if (bytes <= LONG_BYTES) return NOTHING_TAKEN;
      if (held > 0 && held + bytes > most) return null;
      held += bytes;
      let isTaken = true;
      return () => {
        if (isTaken) held -= bytes;
        isTaken = false;
      };
    },
  };
}
