/**
 * How many bytes of long bodies are read at once. Who finds no room is not refused, as it has done nothing wrong yet: its body
 * is left where it is, and the connection tells the sender to wait. Without a bound thirty uploads of eight megabytes end a
 * process that has half a gigabyte, before a scanner ever saw one of them. Nor may a few who send a byte now and then keep all
 * others out: who sits in the room while others wait has to read.
 */
import { memoryLimit } from '../domain/memory.ts';

export interface ReadingRoom {
  /** Nothing is called after the place was given back. */
  take(bytes: number, reader: Reader): Place;
}

export interface Reader {
  /** There is room: now, or later. */
  readonly come: () => void;
  /** Bytes of it that are here. */
  readonly read: () => number;
  /** It waited for too long; or it sends so slowly that those who wait would. */
  readonly leave: (why: 'crowded' | 'slow') => void;
}

export interface Place {
  giveBack(): void;
}

export interface Patience {
  /** As long as anybody waits. */
  readonly waitMs: number;
  /** While others wait, who was let in has to have sent so much a second, once this time is over: a place is not for sitting in. */
  readonly graceMs: number;
  readonly leastBytesPerS: number;
}

const PATIENCE: Patience = { waitMs: 10_000, graceMs: 5000, leastBytesPerS: 131_072 };
const LOOK_MS = 250;

export function createReadingRoom(most: number, { waitMs, graceMs, leastBytesPerS } = PATIENCE): ReadingRoom {
  interface Taken extends Place {
    readonly bytes: number;
    readonly reader: Reader;
    /** When it came, and how much of it was there when it was let in. */
    since: number;
    before: number;
  }
  let taken = 0;
  const waiting: Taken[] = [];
  const reading = new Set<Taken>();
  /** Only while anybody waits. */
  let timer: NodeJS.Timeout | null = null;

  /** The first that waits goes first, also where a shorter one would fit: long ones would wait for ever. One alone always fits. */
  function letIn(): void {
    while (waiting.length > 0 && (reading.size === 0 || taken + waiting[0]!.bytes <= most)) {
      const next = waiting.shift()!;
      reading.add(next);
      taken += next.bytes;
      next.since = performance.now();
      next.before = next.reader.read();
      next.reader.come();
    }
    if (waiting.length > 0) timer ??= setInterval(look, LOOK_MS).unref();
    else if (timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  }

  function look(): void {
    const now = performance.now();
    for (const { since, before, reader } of reading) {
      const least = ((now - since) / 1000) * leastBytesPerS;
      if (now - since > graceMs && reader.read() - before < least) reader.leave('slow');
    }
    const late = waiting.filter(({ since }) => now - since > waitMs);
    for (const { reader } of late) reader.leave('crowded');
  }

  return {
    take(bytes, reader) {
      const place: Taken = {
        bytes,
        reader,
        since: performance.now(),
        before: 0,
        giveBack() {
          const at = waiting.indexOf(place);
          if (reading.delete(place)) taken -= bytes;
          else if (at !== -1) waiting.splice(at, 1);
          letIn();
        },
      };
      waiting.push(place);
      letIn();
      return place;
    },
  };
}

const MB = 1_048_576;
const LEAST = 16 * MB;
const MOST = 256 * MB;

/** A sixteenth of the memory that there is: what was read is held on while it is scanned and sent. */
export function readingRoomOf(limit = memoryLimit(), patience = PATIENCE): ReadingRoom {
  return createReadingRoom(Math.min(MOST, Math.max(LEAST, limit / 16)), patience);
}
