/**
 * How many bytes of bodies there may be at once, by the memory that this process may take. Beyond it the kernel ends the
 * process, and every call with it; so what would not fit waits, or is told to come again.
 */
import { memoryLimit } from '../domain/memory.ts';

export interface Room {
  /** In one lane, waiting and at work. */
  readonly admitted: number;
  /** On the scanning threads, of bodies that are large. */
  readonly atWork: number;
}

const MB = 1_048_576;
/** Before the first body, as measured: the main thread, and each scanning thread with its rules. */
const MAIN_BYTES = 96 * MB;
const THREAD_BYTES = 80 * MB;
/** What a thread takes to read a body, for each byte of it: its text, its passages, their readings, and what of those is not yet collected. */
const PER_BYTE = 20;
const MOST_ADMITTED = 64 * MB;
const LEAST_ADMITTED = 16 * MB;

/** From here on a body is counted for itself: its memory and its time. */
export const LARGE_BYTES = MB;

/** A body of any legal size may be alone, so a room that is too small still serves. */
export function roomFor(threads: number, limit = memoryLimit()): Room {
  const left = Math.max(0, limit - MAIN_BYTES - threads * THREAD_BYTES);
  return {
    // A quarter of what is left, since there are two lanes.
    admitted: Math.min(MOST_ADMITTED, Math.max(LEAST_ADMITTED, left / 8)),
    atWork: left / PER_BYTE,
  };
}
