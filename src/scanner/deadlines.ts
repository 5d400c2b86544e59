/**
 * Enforces the deadlines of scans. The abort signals of piscina are not used for this: they bypass the library's own
 * limits and terminate threads that are busy in native code.
 */
import type { Ended } from '../domain/batch.ts';
import type { Roster } from '../domain/roster.ts';
import type { Task } from './generation.ts';
import { LARGE_BYTES } from './room.ts';

export interface Overdue {
  finish(task: Task, outcome: Ended): void;
  /** Tries the task once more; false when that is not possible. */
  retry(task: Task): boolean;
}

const TICK_MS = 10;
/**
 * Extra time for large bodies, in bytes per millisecond. In open mode a timeout lets a body pass, so size alone must
 * not cause one. `page` is the speed of the slowest texts up to a megabyte, `beyond` the speed for hidden text in
 * larger bodies.
 */
const BYTES_PER_EXTRA_MS = { page: 2000, beyond: 10_000 } as const;
/**
 * A shorter body exceeds its time only if the machine is stalled: the slowest text of this size that a search has found
 * takes two thirds of the time allowed.
 */
const TELLING_BYTES = 131_072;

/** A shorter body is scanned almost at once, even the slowest known one, so its timeout is never put down to load. */
const DEAR_BYTES = 16_384;

/** How long a body of this size may take in total. `timeoutMs` is what a short one may take. */
export function allowanceFor(bytes: number, timeoutMs: number): number {
  const page = Math.max(0, Math.min(bytes, LARGE_BYTES) - TELLING_BYTES) / BYTES_PER_EXTRA_MS.page;
  return timeoutMs + page + Math.max(0, bytes - LARGE_BYTES) / BYTES_PER_EXTRA_MS.beyond;
}

/** Checks all tasks every few milliseconds, then calls `ticked`. Returns a function that stops the checks. */
export function keepDeadlines(tasks: Roster<Task>, overdue: Overdue, ticked: (now: number) => void): () => void {
  const timer = setInterval(() => {
    const now = performance.now();
    tasks.each((task) => {
      if (now < task.queueBy) return;
      if (now >= task.endBy) ranLong(task, now);
      else if (!task.generation.isRunning(task)) waitedLong(task, now);
    });
    ticked(now);
  }, TICK_MS);
  timer.unref();

  /**
   * The task did not start in time. Either it is in a batch behind a task that does not end, or no thread was free for
   * it. In the first case another thread may help, so it is tried again.
   */
  function waitedLong(task: Task, now: number): void {
    const sent = !task.generation.isWaiting(task);
    task.generation.cancel(task);
    if (sent && overdue.retry(task)) return;
    // In open mode a timeout lets the body pass unscanned, and a sender must not be able to cause that by sending a lot
    // at once. So it counts as overload if the threads are merely busy, or if a large body was waiting for memory.
    const isForRoom = !sent && task.job.bytes.length > LARGE_BYTES;
    const isOverload = isForRoom || task.generation.isOverloaded(now);
    overdue.finish(task, isOverload ? { kind: 'overloaded' } : { kind: 'timeout', phase: 'queue' });
  }

  function ranLong(task: Task, now: number): void {
    task.generation.cancel(task);
    // The body had all the time that its size allows. In open mode a timeout would let it pass unscanned, which a
    // sender could cause with expensive filler text. So it is reported as unreadable, which is refused in every mode.
    const { length } = task.job.bytes;
    if (length > TELLING_BYTES) overdue.finish(task, { kind: 'unreadable', reason: 'scan-budget' });
    // The task may have waited for half of its time, or the CPU cores are shared. A sender can cause that, so it is
    // overload.
    else if (length > DEAR_BYTES && task.generation.isOverloaded(now)) overdue.finish(task, { kind: 'overloaded' });
    else overdue.finish(task, { kind: 'timeout', phase: 'run' });
  }

  return () => clearInterval(timer);
}
