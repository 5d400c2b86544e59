/** Deadlines of ours, since the library's signals bypass its own limits and end threads that do native work. */
import type { Ended } from '../domain/batch.ts';
import type { Roster } from '../domain/roster.ts';
import type { Task } from './generation.ts';
import { LARGE_BYTES } from './room.ts';

export interface Overdue {
  finish(task: Task, outcome: Ended): void;
  again(task: Task): boolean;
}

const TICK_MS = 10;
/** Size alone must not buy a timeout, and with it a way through: the slowest pages take so long, and what is hidden in megabytes. */
const BYTES_PER_EXTRA_MS = { page: 2000, beyond: 10_000 } as const;
/** What is shorter takes as long only where the machine stands still: the slowest text that a search has found takes two thirds of it. */
const TELLING_BYTES = 131_072;

/** Of less, even the slowest is read at once. */
const DEAR_BYTES = 16_384;

/** How long a body may take, given what a short one may. */
export function allowanceFor(bytes: number, timeoutMs: number): number {
  const page = Math.max(0, Math.min(bytes, LARGE_BYTES) - TELLING_BYTES) / BYTES_PER_EXTRA_MS.page;
  return timeoutMs + page + Math.max(0, bytes - LARGE_BYTES) / BYTES_PER_EXTRA_MS.beyond;
}

/** Calls `ticked` after each look. Returns what stops it. */
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

  /** Behind one that does not end, in its batch, or behind all of them. The first is cured by another thread. */
  function waitedLong(task: Task, now: number): void {
    const sent = !task.generation.isWaiting(task);
    task.generation.cancel(task);
    if (sent && overdue.again(task)) return;
    // In open mode a timeout would let it pass, and whoever sends enough at once must not buy that for anybody: threads that work
    // as they should have more to do than they can, and a large body may wait for room.
    const isForRoom = !sent && task.job.bytes.length > LARGE_BYTES;
    const isCrowd = isForRoom || task.generation.isCrowded(now);
    overdue.finish(task, isCrowd ? { kind: 'overloaded' } : { kind: 'timeout', phase: 'queue' });
  }

  function ranLong(task: Task, now: number): void {
    task.generation.cancel(task);
    // It had its size's worth of time. In open mode a timeout would let it pass: what it was filled with must not buy that.
    const { length } = task.job.bytes;
    if (length > TELLING_BYTES) overdue.finish(task, { kind: 'unreadable', reason: 'scan-budget' });
    // It waited for half of its time, or the cores are shared: nobody's fault, and the sender can make it so.
    else if (length > DEAR_BYTES && task.generation.isCrowded(now)) overdue.finish(task, { kind: 'overloaded' });
    else overdue.finish(task, { kind: 'timeout', phase: 'run' });
  }

  return () => clearInterval(timer);
}
