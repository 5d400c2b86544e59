/**
 * Scanning threads let the one with the sockets go first. On a machine with fewer cores than threads a long scan would
 * otherwise take the core from it for a whole turn of the kernel's scheduler, and every call with it.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A tenth of the weight, of those that wait for the same core; alone on it a thread is as fast as ever. */
const NICE = 10;

/** Of the thread that calls it, and of no other: Linux gives each thread its own. Elsewhere nothing is asked. */
export function letOthersFirst(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, NICE);
  } catch {
    // No such place, or not allowed: then it is as it was.
  }
}
