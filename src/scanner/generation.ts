/**
 * A generation: the threads with one ruleset, and the tasks that wait for them or are being scanned by them. A new
 * ruleset means a new generation. This file queues tasks and forms batches; generations.ts decides which one is used.
 */
import type { BatchOutcomes, JobOutcome, WaitingJob, JobKind } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { RosterMember } from '../domain/roster.ts';
import type { Lane } from './admission.ts';
import { MAX_BATCH_JOBS, NOTHING_FOUND } from './batch.ts';
import { hasCompiled, runningFor, scanMsOf } from './control.ts';
import { slowOne } from './patience.ts';
import { createQueue } from './queue.ts';
import { createRunningBatches, isBulky, type SentBatch } from './running-batches.ts';
import { createScanSpeed } from './scan-speed.ts';
import type { IsWanted } from './scanner.ts';
import { createSlots } from './slots.ts';
import { SLOTS, type Threads } from './threads.ts';
import { createWaking } from './waking.ts';

export interface Task extends RosterMember {
  readonly kind: JobKind;
  lane: Lane;
  readonly job: WaitingJob;
  /** How long the body may be once it is decompressed. Its deadlines go by that: a short one can hold megabytes. */
  readonly plainBytes: number;
  readonly settle: (outcome: JobOutcome) => void;
  readonly isWanted: IsWanted;
  /** The number of its arrival. */
  readonly arrival: number;
  /** By when a thread must have started the task, and by when it must have ended. */
  queueBy: number;
  endBy: number;
  /** What it gets beyond that, once, if patterns had to be compiled for it. */
  compileMs: number;
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
  /** Queues a task, or puts it before all others. Its outcome is delivered through the events. */
  take(task: Task, isFirst?: boolean): void;
  /**
   * The result of the task is no longer wanted. True when it was still queued: no thread had been given it. It leaves the
   * queue at once, and does not keep its body until a thread is free. A thread that has it is to stop, and has time for
   * that from `overdueFrom` on, which is now if nothing else is said.
   */
  cancel(task: Task, overdueFrom?: number): boolean;
  isRunning(task: Task): boolean;
  /** Whether patterns had to be compiled for it: its thread has just started, or has long not met such words. */
  hasCompiledFor(task: Task): boolean;
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
  /** A thread died while it had these. */
  crashed(tasks: readonly Task[]): void;
  /** Whether they die of every batch, whatever is in it. */
  threadsDie(): boolean;
}

/**
 * How long the start of a thread may take where all have died. A sender can cause their death, with text that takes much
 * memory or long passes, so what waits for the next thread is refused as overload. After this time the threads are at
 * fault.
 */
const MAX_RESTART_MS = 10_000;

/** `roomForLarge` is that of running-batches.ts. */
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
  const running = createRunningBatches<Task>(threads, roomForLarge);
  let batchesSent = 0;
  /** When there was a thread last. */
  let lastReadyAt = clock.now();
  const scanSpeed = createScanSpeed();
  const waking = createWaking(scanSpeed);
  /** Set when the generation is retired; called when it has no task left. */
  let onEmpty: (() => void) | null = null;
  let isClosed = false;
  /** A hand-over is scheduled for the end of this turn of the event loop. */
  let isHandOverScheduled = false;

  /**
   * Where short bodies wait and every thread is busy, a body that takes long has to give way. If there is a thread for
   * such bodies, it becomes the one that it is on. Otherwise its scan is stopped, and starts anew on one of those
   * threads later.
   */
  function makeWay(): void {
    // With a single thread, a long body would begin again and again without ever coming to its end.
    if (threads.ready() < 2 || hasFreeThread() || queue.count((task) => !isBulky(task)) === 0) return;
    const slowOnes = queue.count(({ isSlow }) => isSlow);
    for (const batch of running.all()) {
      const slow = batch.isBulk ? undefined : slowOne(batch, control, slowOnes);
      if (slow === undefined || slow.settled || slow.isSlow || slow.generation !== self) continue;
      events.foundSlow(slow);
      // Those behind it in its batch would have to wait for it.
      if (batch.tasks.length === 1 && running.hasThreadForBulk()) batch.isBulk = true;
      else slots.stop(slow.slot);
    }
  }

  /**
   * Sends batches while threads are free. A thread gets one batch at a time, and none while it is still starting: the
   * rest waits in this queue, where it can be counted and cancelled.
   */
  function handOver(): void {
    while (hasFreeThread() && (running.all().length === 0 || waking.isWorthIt(queue))) {
      const batch = queue.nextBatch(running.mayStart, threads.wanted(), scanSpeed.limits());
      if (batch === null) break;
      send(batch);
    }
    tellWhetherEmpty();
  }

  function hasFreeThread(): boolean {
    return running.all().length < threads.ready();
  }

  function tellWhetherEmpty(): void {
    if (running.all().length === 0 && queue.count() === 0) onEmpty?.();
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

  function send(tasks: readonly [Task, ...Task[]]): void {
    const batch = running.begin(tasks, clock.now());
    waking.sent(tasks);
    batchesSent += 1;
    let told = 0;
    threads.send(tasks, (outcomes, isLast) => {
      if (isLast) {
        running.end(batch);
        if (outcomes !== null) measure(batch);
        for (const slot of batch.slots) slots.release(slot);
      }
      if (outcomes === null) threadDied(batch, told);
      else deliver(batch, told, outcomes);
      told += outcomes?.length ?? 0;
      if (isLast) handOver();
    });
  }

  function measure({ tasks, slots: held }: SentBatch<Task>): void {
    let sum = 0;
    for (const [i, { job }] of tasks.entries()) {
      const ms = scanMsOf(control, held[i]!);
      sum += ms;
      scanSpeed.measured(job.bytes.length, ms);
    }
    events.measured(tasks[0].lane, sum / tasks.length);
  }

  /** `outcomes` are those of the tasks from `first` on. A thread answers null for the usual one, "nothing found". */
  function deliver({ tasks, slots: held }: SentBatch<Task>, first: number, outcomes: BatchOutcomes): void {
    for (const [i, told] of outcomes.entries()) {
      const task = tasks[first + i]!;
      if (!isHere(task, held[first + i]!)) continue;
      const outcome = told ?? NOTHING_FOUND;
      if (!task.isSlow || !wasStopped(outcome)) events.finish(task, outcome);
      else if (!events.restart(task)) events.finish(task, { kind: 'overloaded' });
    }
  }

  /**
   * The thread died before it told the outcomes from `first` on. Which task caused that is not known, so each one is
   * tried once more, alone.
   */
  function threadDied({ tasks, slots: held }: SentBatch<Task>, first: number): void {
    const left = tasks.slice(first);
    if (!isClosed && left.some(({ settled }) => !settled)) events.crashed(left);
    for (const [i, task] of left.entries()) {
      if (!isHere(task, held[first + i]!)) continue;
      task.threadDied = true;
      // The second time it was alone, so it is the cause.
      if (events.threadsDie()) events.finish(task, { kind: 'error', reason: 'threads-die' });
      else if (task.retried) events.finish(task, { kind: 'unreadable', reason: 'scanner-crash' });
      else if (!events.retry(task)) events.finish(task, { kind: 'error', reason: 'crash' });
    }
  }

  /** False for a task that was queued again meanwhile, here or in a newer generation. Its outcome comes from there. */
  function isHere(task: Task, slot: number): boolean {
    return !task.settled && task.slot === slot && task.generation === self;
  }

  const self: Generation = {
    threads,
    take(task, isFirst = false) {
      const slot = slots.take();
      if (slot === null) {
        events.finish(task, { kind: 'overloaded' });
        return;
      }
      task.generation = self;
      task.slot = slot;
      if (isFirst) queue.addFirst(task);
      else queue.add(task);
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
    hasCompiledFor: ({ slot }) => hasCompiled(control, slot),
    isRunning: ({ slot }) => runningFor(control, slot) !== null,
    isProceeding(now) {
      if (threads.ready() === 0 && now - lastReadyAt > MAX_RESTART_MS) return false;
      running.noteProgress(now);
      return running.areProceeding(now);
    },
    endStuck: (now) => slots.stuckThreads(now).some((thread) => threads.terminate(thread)),
    hasFreeThread,
    waiting: () => queue.count(),
    isBusy: () => running.all().length > 0,
    batchesSent: () => batchesSent,
    check(now) {
      if (threads.ready() > 0) lastReadyAt = now;
      running.noteProgress(now);
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
      const inTime = await Promise.race([empty, outOfTime]);
      isClosed = true;
      await (inTime ? threads.retire() : threads.close());
    },
  };
  threads.onReady(handOver);
  return self;
}

/** A scan that ends because its slot was cancelled says that its time was up. */
function wasStopped(outcome: JobOutcome): boolean {
  return outcome.kind === 'checked' ? outcome.outcomes.some(wasStopped) : outcome.kind === 'timeout';
}
