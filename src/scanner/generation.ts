/**
 * A generation: the threads with one ruleset, and the tasks that wait for them or are being scanned by them. A new
 * ruleset means a new generation. This file queues tasks and forms batches; pool.ts decides which generation is used.
 */
import type { BatchOutcomes, JobOutcome, Job, JobKind } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { LARGE_BYTES } from '../domain/memory.ts';
import type { RosterMember } from '../domain/roster.ts';
import { BULK_BYTES, type Lane } from './admission.ts';
import { bytesOf, SMALL_BATCH_BYTES, MAX_BATCH_JOBS, NOTHING_FOUND } from './batch.ts';
import { runningFor, scanMsOf } from './control.ts';
import { slowOne } from './patience.ts';
import { createQueue } from './queue.ts';
import { createRunningBatch, isStuck, noteProgress, type RunningBatch } from './running-batch.ts';
import { createScanSpeed, MAX_SHORT_JOBS } from './scan-speed.ts';
import type { IsWanted } from './scanner.ts';
import { createSlots } from './slots.ts';
import { SLOTS, type Threads } from './threads.ts';

export interface Task extends RosterMember {
  readonly kind: JobKind;
  lane: Lane;
  readonly job: Job;
  /** How long the body may be once it is decompressed. Its deadlines go by that: a short one can hold megabytes. */
  readonly plainBytes: number;
  readonly settle: (outcome: JobOutcome) => void;
  readonly isWanted: IsWanted;
  /** The number of its arrival. */
  readonly arrival: number;
  /** By when a thread must have started the task, and by when it must have ended. */
  queueBy: number;
  readonly endBy: number;
  generation: Generation;
  slot: number;
  retried: boolean;
  /** It has kept a thread for long while others waited, and is treated like a bulky one from then on. */
  isSlow: boolean;
  /** A thread died while it had this task. */
  threadDied: boolean;
  settled: boolean;
}

export interface Generation {
  readonly threads: Threads;
  /** Queues a task. Its outcome is delivered through the events. */
  take(task: Task): void;
  /**
   * The result of the task is no longer wanted. True when it was still queued: no thread had been given it. It leaves the
   * queue at once, and does not keep its body until a thread is free. A thread that has it is to stop, and has time for
   * that from `overdueFrom` on, which is now if nothing else is said.
   */
  cancel(task: Task, overdueFrom?: number): boolean;
  isRunning(task: Task): boolean;
  /** Each thread that has a batch proceeds with it, and where there is no thread, one may still be on its way. */
  isProceeding(now: number): boolean;
  /** Whether there is a free thread. */
  hasFreeThread(): boolean;
  /** Terminates one thread that is still running a task cancelled long ago; false when there is none. */
  endStuck(now: number): boolean;
  waiting(): number;
  isBusy(): boolean;
  /** How many batches the threads have been given. */
  batchesSent(): number;
  /**
   * Called periodically: notes which threads proceed, and gives waiting tasks to another thread when the busy one turns
   * out to be slow.
   */
  check(now: number): void;
  /**
   * Shuts the generation down once its last task has ended, or after `withinMs`. Resolves when the threads have ended.
   * No task may be given to it afterwards.
   */
  retire(withinMs: number): Promise<void>;
}

export interface GenerationEvents {
  finish(task: Task, outcome: JobOutcome): void;
  /** Tries the task once more, if possible; false when it is not. */
  retry(task: Task): boolean;
  /** The task takes long, and counts as bulk from now on. */
  foundSlow(task: Task): void;
  /** Its scan was stopped in favor of others. Queues it anew; false when that is not possible. */
  restart(task: Task): boolean;
  measured(lane: Lane, ms: number): void;
  crashed(): void;
  /** Whether they die of every batch, whatever is in it. */
  threadsDie(): boolean;
}

/**
 * How long the start of a thread may take where all have died. A sender can cause their death, with text that takes much
 * memory or long passes, so what waits for the next thread is refused as overload. After this time the threads are at
 * fault.
 */
const MAX_RESTART_MS = 10_000;
/** Longer than a batch of few bytes takes. */
const WAKE_AFTER_MS = 3;

/** A batch that a thread is working on. */
interface SentBatch extends RunningBatch {
  readonly tasks: readonly [Task, ...Task[]];
  /** Its body is a bulky one, or a slow one, which is only found out while it is scanned. */
  isBulk: boolean;
}

/**
 * `roomForLarge`: how many bytes of large bodies may be scanned at once, asked for before the first of them. A single one
 * is always allowed.
 */
export function createGeneration(
  threads: Threads,
  clock: Pick<Clock, 'now'>,
  events: GenerationEvents,
  roomForLarge: () => number = () => Infinity,
): Generation {
  const { control } = threads;
  const slots = createSlots(control, SLOTS);
  /** Tasks that have a slot, but no thread yet. */
  const queue = createQueue<Task>();
  /** The batches that threads have, one per busy thread. */
  const runningBatches = new Set<SentBatch>();
  /** Bytes of the large bodies in those batches. */
  let largeBytesRunning = 0;
  let maxLargeBytes = Infinity;
  /** The batch that was sent last. */
  let lastBatch = { sentAt: 0, bytes: 0 };
  let batchesSent = 0;
  /** When there was a thread last. */
  let lastReadyAt = clock.now();
  const scanSpeed = createScanSpeed();
  /** Set when the generation is retired; called when it has no task left. */
  let onEmpty: (() => void) | null = null;
  /** A hand-over is scheduled for the end of this turn of the event loop. */
  let isHandOverScheduled = false;

  /** A large body waits while there is no room for it, and a bulky one while there is no thread for it. */
  function mayStart(task: Task): boolean {
    const more = largeBytes(task.job);
    return (
      (largeBytesRunning === 0 || more === 0 || largeBytesRunning + more <= maxLargeBytes) &&
      (!isBulky(task) || hasThreadForBulk())
    );
  }

  /** Where there are several threads, one is kept for short bodies: those must not wait for a body of megabytes. */
  function hasThreadForBulk(): boolean {
    const withBulk = [...runningBatches].filter(({ isBulk }) => isBulk).length;
    return withBulk < Math.max(1, threads.ready() - 1);
  }

  /**
   * Where short bodies wait and every thread is busy, a body that takes long has to give way. If there is a thread for
   * such bodies, it becomes the one that it is on. Otherwise its scan is stopped, and starts anew on one of those
   * threads later.
   */
  function makeWay(): void {
    // With a single thread, a long body would begin again and again without ever coming to its end.
    if (threads.ready() < 2 || runningBatches.size < threads.ready() || queue.count((task) => !isBulky(task)) === 0)
      return;
    const slowOnes = queue.count(({ isSlow }) => isSlow);
    for (const batch of runningBatches) {
      const slow = batch.isBulk ? undefined : slowOne(batch, control, slowOnes);
      if (slow === undefined || slow.settled || slow.isSlow || slow.generation !== self) continue;
      events.foundSlow(slow);
      // What is in one batch is answered together, so the others in it would have to wait for it.
      if (batch.tasks.length === 1 && hasThreadForBulk()) batch.isBulk = true;
      else slots.stop(slow.slot);
    }
  }

  /**
   * Sends batches while threads are free. A thread gets one batch at a time, and none while it is still starting: the
   * rest waits in this queue, where it can be counted and cancelled.
   */
  function handOver(): void {
    while (runningBatches.size < threads.ready() && isWorthWakingAThread()) {
      const batch = queue.nextBatch(mayStart, threads.wanted(), scanSpeed);
      if (batch === null) break;
      send(batch);
    }
    tellWhetherEmpty();
  }

  function tellWhetherEmpty(): void {
    if (runningBatches.size === 0 && queue.count() === 0) onEmpty?.();
  }

  /**
   * Whether the queued work is worth waking another thread. A thread that wakes up scans its first body at a third of
   * its speed, so a few small bodies are done sooner by a thread that is already awake. The exceptions are when small
   * bodies are expensive lately, and when that thread has an expensive one, which shows by its taking too long.
   */
  function isWorthWakingAThread(): boolean {
    if (runningBatches.size === 0 || queue.bytes() > SMALL_BATCH_BYTES || lastBatch.bytes > SMALL_BATCH_BYTES)
      return true;
    const mostShort = scanSpeed.maxShortJobs();
    if (mostShort < MAX_SHORT_JOBS && queue.count() >= mostShort) return true;
    return performance.now() - lastBatch.sentAt > WAKE_AFTER_MS;
  }

  /**
   * Sends what arrives in one turn of the event loop together: waking a thread costs more than scanning a short body.
   */
  function handOverSoon(): void {
    if (queue.count() >= MAX_BATCH_JOBS) handOver();
    else if (!isHandOverScheduled) {
      isHandOverScheduled = true;
      setImmediate(() => {
        isHandOverScheduled = false;
        handOver();
      });
    }
  }

  function send(batch: readonly [Task, ...Task[]]): void {
    const [{ job }] = batch;
    const large = largeBytes(job);
    if (large > 0 && largeBytesRunning === 0) maxLargeBytes = roomForLarge();
    largeBytesRunning += large;
    const held = batch.map(({ slot }) => slot);
    const plainBytes = batch.reduce((sum, task) => sum + task.plainBytes, 0);
    const running: SentBatch = {
      ...createRunningBatch(held, plainBytes, clock.now()),
      tasks: batch,
      isBulk: isBulky(batch[0]),
    };
    lastBatch = { sentAt: performance.now(), bytes: bytesOf(batch) };
    batchesSent += 1;
    runningBatches.add(running);
    threads.send(batch, (outcomes) => {
      runningBatches.delete(running);
      if (outcomes !== null) measure(batch, held);
      batchEnded(batch, held, outcomes);
    });
  }

  function noteProgressOfAll(now: number): void {
    for (const batch of runningBatches) noteProgress(batch, control, now);
  }

  function measure(batch: readonly [Task, ...Task[]], held: readonly number[]): void {
    let sum = 0;
    for (const [i, { job }] of batch.entries()) {
      const ms = scanMsOf(control, held[i]!);
      sum += ms;
      scanSpeed.measured(job.bytes.length, ms);
    }
    events.measured(batch[0].lane, sum / batch.length);
  }

  /**
   * A batch has ended. `outcomes` is null when the thread died. Which task caused that is not known, so each one is
   * tried once more, alone.
   */
  function batchEnded(
    batch: readonly [Task, ...Task[]],
    held: readonly number[],
    outcomes: BatchOutcomes | null,
  ): void {
    largeBytesRunning -= largeBytes(batch[0].job);
    for (const slot of held) slots.release(slot);
    if (outcomes === null && batch.some(({ settled }) => !settled)) events.crashed();
    for (const [index, task] of batch.entries()) {
      // The task was queued again meanwhile, here or in a newer generation. Its outcome comes from there.
      if (task.settled || task.slot !== held[index] || task.generation !== self) continue;
      if (outcomes !== null) {
        const outcome = outcomeOf(outcomes[index]);
        if (!task.isSlow || !wasStopped(outcome)) events.finish(task, outcome);
        else if (!events.restart(task)) events.finish(task, { kind: 'overloaded' });
        continue;
      }
      task.threadDied = true;
      // The second time it was alone, so it is the cause.
      if (events.threadsDie()) events.finish(task, { kind: 'error', reason: 'threads-die' });
      else if (task.retried) events.finish(task, { kind: 'unreadable', reason: 'scanner-crash' });
      else if (!events.retry(task)) events.finish(task, { kind: 'error', reason: 'crash' });
    }
    handOver();
  }

  const self: Generation = {
    threads,
    take(task) {
      const slot = slots.take();
      if (slot === null) {
        events.finish(task, { kind: 'overloaded' });
        return;
      }
      task.generation = self;
      task.slot = slot;
      queue.add(task);
      handOverSoon();
    },
    cancel(task, overdueFrom = clock.now()) {
      if (queue.withdraw(task)) {
        slots.release(task.slot);
        tellWhetherEmpty();
        return true;
      }
      slots.cancel(task.slot, task.plainBytes, overdueFrom);
      return false;
    },
    isRunning: ({ slot }) => runningFor(control, slot) !== null,
    isProceeding(now) {
      if (threads.ready() === 0 && now - lastReadyAt > MAX_RESTART_MS) return false;
      noteProgressOfAll(now);
      return [...runningBatches].every((batch) => !isStuck(batch, now));
    },
    endStuck: (now) => slots.stuckThreads(now).some((thread) => threads.terminate(thread)),
    hasFreeThread: () => runningBatches.size < threads.ready(),
    waiting: () => queue.count(),
    isBusy: () => runningBatches.size > 0,
    batchesSent: () => batchesSent,
    check(now) {
      if (threads.ready() > 0) lastReadyAt = now;
      noteProgressOfAll(now);
      makeWay();
      handOver();
    },
    async retire(withinMs) {
      // The `close()` of piscina can terminate threads that are still scanning. This waits for the last task, but not
      // forever.
      const empty = new Promise<true>((resolve) => {
        onEmpty = () => resolve(true);
      });
      const outOfTime = new Promise<false>((resolve) => {
        setTimeout(resolve, withinMs, false).unref();
      });
      tellWhetherEmpty();
      await ((await Promise.race([empty, outOfTime])) ? threads.retire() : threads.close());
    },
  };
  threads.onReady(handOver);
  return self;
}

/** It takes a thread for longer than short ones should wait: by its size, or as was seen when it was scanned. */
export function isBulky({ job, isSlow }: Task): boolean {
  return isSlow || job.bytes.length > BULK_BYTES;
}

/** A scan that ends because its slot was cancelled says that its time was up. */
function wasStopped(outcome: JobOutcome): boolean {
  return outcome.kind === 'checked' ? outcome.outcomes.some(wasStopped) : outcome.kind === 'timeout';
}

/** The size of a large body, 0 for others. A large body is always the first of its batch, and alone in it. */
function largeBytes({ bytes }: Job): number {
  return bytes.length > LARGE_BYTES ? bytes.length : 0;
}

/**
 * A thread answers `null` for the usual outcome, "nothing found", which need not be copied. A missing answer
 * (`undefined`) is a failure.
 */
function outcomeOf(outcome: BatchOutcomes[number] | undefined): JobOutcome {
  if (outcome === undefined) return { kind: 'error', reason: 'engine' };
  return outcome ?? NOTHING_FOUND;
}
