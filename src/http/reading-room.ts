/**
 * Limits how many bytes of long bodies are read into memory at once. A body that finds no room is not refused: reading
 * is paused, and TCP backpressure makes the sender wait. Without a limit, thirty uploads of 8 MB end a process with
 * half a gigabyte of memory before any of them is scanned. Slow senders must not keep others out: while others wait,
 * whoever has a place must send at a minimum speed (see `Patience`).
 */
import { createClock } from '../domain/clock.ts';
import { memoryLimit } from '../domain/memory.ts';

export interface ReadingRoom {
  /** Asks for room for `bytes`. No callback of the reader is called after the place was given back. */
  take(bytes: number, reader: Reader): Reservation;
}

export interface Reader {
  /** There is room. Called at once, during `take`, or later. */
  readonly onAdmitted: () => void;
  /** How many bytes of the body have arrived. */
  readonly bytesRead: () => number;
  /**
   * The body must give up its place: it waited too long (`overloaded`), or it is sent too slowly while others wait
   * (`slow`).
   */
  readonly onEvicted: (why: 'overloaded' | 'slow') => void;
}

/** Room for one body, from when it asked for it. */
export interface Reservation {
  giveBack(): void;
}

export interface Patience {
  /** How long a body may wait for room. */
  readonly waitMs: number;
  /** While others wait, a body that was let in must arrive at `leastBytesPerS` on average, checked after this time. */
  readonly graceMs: number;
  readonly leastBytesPerS: number;
}

const PATIENCE: Patience = { waitMs: 10_000, graceMs: 5000, leastBytesPerS: 131_072 };
const LOOK_MS = 250;

export function createReadingRoom(most: number, { waitMs, graceMs, leastBytesPerS } = PATIENCE): ReadingRoom {
  interface Body extends Reservation {
    readonly bytes: number;
    readonly reader: Reader;
    /** When it started to wait, or once it was let in, when that was. `before`: bytes that had arrived by then. */
    since: number;
    before: number;
  }
  let taken = 0;
  /** In order of arrival. */
  const waiting = new Set<Body>();
  const reading = new Set<Body>();
  /** Without the stalls of the main thread, in which nobody is read, however fast he sends. */
  const clock = createClock(LOOK_MS);
  /** Runs only while there is a body. */
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    if (timer !== null) return;
    clock.tick();
    timer = setInterval(look, LOOK_MS).unref();
  }

  /**
   * Lets bodies in, in order of arrival, even where a shorter one further back would fit: otherwise long ones could
   * wait forever. A single body is always let in.
   */
  function letIn(): void {
    for (const next of waiting) {
      if (reading.size > 0 && taken + next.bytes > most) break;
      waiting.delete(next);
      reading.add(next);
      taken += next.bytes;
      next.since = clock.now();
      next.before = next.reader.bytesRead();
      next.reader.onAdmitted();
    }
    if (waiting.size + reading.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function look(): void {
    clock.tick();
    if (waiting.size === 0) return;
    const now = clock.now();
    for (const { since, before, reader } of reading) {
      const least = ((now - since) / 1000) * leastBytesPerS;
      if (now - since > graceMs && reader.bytesRead() - before < least) reader.onEvicted('slow');
    }
    // Whoever leaves may make room for the next one, which is then no longer in the set, however long it had waited.
    for (const { since, reader } of waiting) if (now - since > waitMs) reader.onEvicted('overloaded');
  }

  return {
    take(bytes, reader) {
      begin();
      const body: Body = {
        bytes,
        reader,
        since: clock.now(),
        before: 0,
        giveBack() {
          if (reading.delete(body)) taken -= bytes;
          else waiting.delete(body);
          letIn();
        },
      };
      waiting.add(body);
      letIn();
      return body;
    },
  };
}

const MB = 1_048_576;
const LEAST = 16 * MB;
const MOST = 256 * MB;

/**
 * A room of a sixteenth of the memory limit. It is that small because a body stays in memory while it is scanned and
 * sent.
 */
export function readingRoomOf(limit = memoryLimit(), patience = PATIENCE): ReadingRoom {
  return createReadingRoom(Math.min(MOST, Math.max(LEAST, limit / 16)), patience);
}
