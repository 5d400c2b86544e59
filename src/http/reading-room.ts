/**
 * How many bytes of long bodies are read at once. Who finds no room is not refused, as it has done nothing wrong yet: its body
 * is left where it is, and the connection tells the sender to wait. Without a bound thirty uploads of eight megabytes end a
 * process that has half a gigabyte, before a scanner ever saw one of them.
 */
import { memoryLimit } from '../domain/memory.ts';

export interface ReadingRoom {
  /** `come` is called at once or later; never after the place was given back. */
  take(bytes: number, come: () => void): Place;
}

export interface Place {
  giveBack(): void;
}

export function createReadingRoom(most: number): ReadingRoom {
  interface Reader extends Place {
    readonly bytes: number;
    readonly come: () => void;
  }
  let taken = 0;
  const waiting: Reader[] = [];
  const reading = new Set<Reader>();

  /** The first that waits goes first, also where a shorter one would fit: long ones would wait for ever. One alone always fits. */
  function letIn(): void {
    while (waiting.length > 0 && (reading.size === 0 || taken + waiting[0]!.bytes <= most)) {
      const reader = waiting.shift()!;
      reading.add(reader);
      taken += reader.bytes;
      reader.come();
    }
  }

  return {
    take(bytes, come) {
      const reader: Reader = {
        bytes,
        come,
        giveBack() {
          const at = waiting.indexOf(reader);
          if (reading.delete(reader)) taken -= bytes;
          else if (at !== -1) waiting.splice(at, 1);
          letIn();
        },
      };
      waiting.push(reader);
      letIn();
      return reader;
    },
  };
}

const MB = 1_048_576;
const LEAST = 16 * MB;
const MOST = 256 * MB;

/** A sixteenth of the memory that there is: what was read is held on while it is scanned and sent. */
export function readingRoomOf(limit = memoryLimit()): ReadingRoom {
  return createReadingRoom(Math.min(MOST, Math.max(LEAST, limit / 16)));
}
