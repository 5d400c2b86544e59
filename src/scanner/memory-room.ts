/**
 * How many bytes of bodies may be in memory at once, derived from the memory limit of the process. Beyond that limit
 * the kernel kills the process and with it every call. So a body that does not fit has to wait, or is refused and told
 * to retry.
 */
import { memoryLimit } from '../domain/memory.ts';

const MB = 1_048_576;
/** Measured memory before the first body: of the main thread, and of each scanning thread with its rules. */
const MAIN_BYTES = 96 * MB;
const THREAD_BYTES = 80 * MB;
/**
 * Memory that a thread needs per byte of a body: its text, its passages, their decoded readings, and garbage of those
 * that is not yet collected.
 */
const MEMORY_PER_BYTE = 20;
const MOST_ADMITTED = 64 * MB;
const LEAST_ADMITTED = 16 * MB;

/**
 * Bytes of all bodies in one lane, waiting or being scanned: an eighth of what the threads leave. The lane of short
 * bodies takes half of it (admission.ts). A single body is always let in, so the proxy works even where the result is
 * too small for one.
 */
export function roomForWaiting(threads: number, limit = memoryLimit()): number {
  const left = Math.max(0, limit - MAIN_BYTES - threads * THREAD_BYTES);
  return Math.min(MOST_ADMITTED, Math.max(LEAST_ADMITTED, left / 8));
}

/**
 * Bytes of large bodies that are scanned at once, by what is in use now: threads that have met all kinds of attacks have
 * grown by hundreds of megabytes.
 */
export function roomForLargeBodies(limit = memoryLimit(), used = process.memoryUsage.rss()): number {
  return Math.max(0, limit - used) / MEMORY_PER_BYTE;
}
