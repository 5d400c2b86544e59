/**
 * The batches that threads are working on, one per busy thread, and what may start beside them: bodies of megabytes take
 * turns where memory is short, and long ones never have all threads.
 */
import { LARGE_BYTES } from '../domain/memory.ts';
import { BULK_BYTES } from './admission.ts';
import type { QueuedJob } from './batch.ts';
import { createRunningBatch, isStuck, noteProgress, type RunningBatch } from './running-batch.ts';
import type { Threads } from './threads.ts';

/** A batch that a thread is working on. */
export interface SentBatch<Task> extends RunningBatch {
  readonly tasks: readonly [Task, ...Task[]];
  /** Its body is a bulky one, or a slow one, which is only found out while it is scanned. */
  isBulk: boolean;
}

export interface RunningBatches<Task extends QueuedJob> {
  all(): readonly SentBatch<Task>[];
  begin(tasks: readonly [Task, ...Task[]], now: number): SentBatch<Task>;
  end(batch: SentBatch<Task>): void;
  /** A large body waits while there is no room for it, and a bulky one while there is no thread for it. */
  mayStart(task: Task): boolean;
  /** Where there are several threads, one is kept for short bodies: those must not wait for a body of megabytes. */
  hasThreadForBulk(): boolean;
  noteProgress(now: number): void;
  /** As of the last look at their progress. */
  areProceeding(now: number): boolean;
}

/**
 * `roomForLarge`: how many bytes of large bodies may be scanned at once, asked for before the first of them. A single one
 * is always allowed.
 */
export function createRunningBatches<Task extends QueuedJob>(
  { control, ready }: Pick<Threads, 'control' | 'ready'>,
  roomForLarge: () => number,
): RunningBatches<Task> {
  /** Few, so an array. Not a Set, which would keep finished calls: domain/roster.ts. */
  const batches: SentBatch<Task>[] = [];
  /** Bytes of the large bodies in those batches. */
  let largeBytes = 0;
  let maxLargeBytes = Infinity;

  function hasThreadForBulk(): boolean {
    let withBulk = 0;
    for (const { isBulk } of batches) if (isBulk) withBulk += 1;
    return withBulk < Math.max(1, ready() - 1);
  }

  return {
    all: () => batches,
    begin(tasks, now) {
      const large = largeBytesOf(tasks[0]);
      if (large > 0 && largeBytes === 0) maxLargeBytes = roomForLarge();
      largeBytes += large;
      const held = tasks.map(({ slot }) => slot);
      const plainBytes = tasks.reduce((sum, task) => sum + task.plainBytes, 0);
      const batch = { ...createRunningBatch(held, plainBytes, now), tasks, isBulk: isBulky(tasks[0]) };
      batches.push(batch);
      return batch;
    },
    end(batch) {
      batches.splice(batches.indexOf(batch), 1);
      largeBytes -= largeBytesOf(batch.tasks[0]);
    },
    mayStart(task) {
      const more = largeBytesOf(task);
      return (
        (largeBytes === 0 || more === 0 || largeBytes + more <= maxLargeBytes) && (!isBulky(task) || hasThreadForBulk())
      );
    },
    hasThreadForBulk,
    noteProgress(now) {
      for (const batch of batches) noteProgress(batch, control, now);
    },
    areProceeding: (now) => batches.every((batch) => !isStuck(batch, now)),
  };
}

/** It takes a thread for longer than short ones should wait: by its size, or as was seen when it was scanned. */
export function isBulky({ job, isSlow }: Pick<QueuedJob, 'job' | 'isSlow'>): boolean {
  return isSlow || job.bytes.length > BULK_BYTES;
}

/** The size of a large body, 0 for others. A large body is always the first of its batch, and alone in it. */
export function largeBytesOf({ plainBytes }: Pick<QueuedJob, 'plainBytes'>): number {
  return plainBytes > LARGE_BYTES ? plainBytes : 0;
}
