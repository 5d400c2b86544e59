/**
 * A generation: the threads with one ruleset, and the tasks that wait for them or are being scanned by them. A new
 * ruleset means a new generation. This file queues tasks and forms batches; pool.ts decides which generation is used.
 */
import type { Answers, JobOutcome, Job, JobKind } from '../domain/batch.ts';
import type { RosterMember } from '../domain/roster.ts';
import { BULK_BYTES, LANES, type Lane } from './admission.ts';
import { batchSize, bytesOf, LEAST_BYTES, MOST_JOBS, NOTHING_FOUND } from './batch.ts';
import { cancelSlot, clearSlot, runningFor, tookIn } from './control.ts';
import { inHand, isStuck, lookAt, type InHand } from './in-hand.ts';
import { createPace } from './pace.ts';
import { LARGE_BYTES } from './room.ts';
import { SLOTS, type Threads } from './threads.ts';

export interface Task extends RosterMember {
  readonly kind: JobKind;
  readonly lane: Lane;
  readonly job: Job;
  readonly settle: (outcome: JobOutcome) => void;
  /** By when a thread must have started the task, and by when it must have ended. */
  queueBy: number;
  readonly endBy: number;
  generation: Generation;
  slot: number;
  retried: boolean;
  settled: boolean;
}

export interface Generation {
  readonly threads: Threads;
  /** Queues a task. Its outcome is delivered through the events. */
  take(task: Task): void;
  /** Marks the result of the task as no longer wanted. */
  cancel(task: Task): void;
  /** Whether the task is still queued here: no thread has been given it. */
  isWaiting(task: Task): boolean;
  isRunning(task: Task): boolean;
  /** Overloaded, not broken: every thread has a batch and proceeds with it, and there is more to do than this task. */
  isOverloaded(task: Task, now: number): boolean;
  /** Terminates one thread that is still running a task cancelled long ago; false when there is none. */
  endStuck(now: number): boolean;
  waiting(): number;
  isBusy(): boolean;
  /**
   * Called periodically: notes which threads proceed, and gives waiting tasks to another thread when the busy one turns
   * out to be slow.
   */
  look(now: number): void;
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
  measured(lane: Lane, ms: number): void;
  crashed(): void;
}

/** A cancelled scan ends itself at its next slice. A thread that has not done so after this time is terminated. */
const KILL_AFTER_MS = 300;
/** Longer than a batch of few bytes takes. */
const PATIENCE_MS = 3;

/** `roomAtWork`: how many bytes of large bodies may be scanned at once. A single one is always allowed. */
export function createGeneration(threads: Threads, events: GenerationEvents, roomAtWork = Infinity): Generation {
  const { control } = threads;
  const free = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index);
  /** Queued tasks per lane, oldest first. They have a slot, but no thread yet. */
  const lanes: Readonly<Record<Lane, Task[]>> = { calls: [], answers: [], bulk: [] };
  /** Slots of cancelled tasks, with the time of the cancel. A thread that runs one of them for long is stuck. */
  const late = new Map<number, number>();
  /** The batches that threads have, one per busy thread. */
  const hands = new Set<InHand>();
  /** Bytes of the large bodies in those batches. */
  let large = 0;
  /** Bytes of the queued tasks. */
  let waitingBytes = 0;
  /** The batch that was sent last. */
  let last = { at: 0, bytes: 0 };
  /** How many threads have a bulky body. */
  let bulky = 0;
  const pace = createPace();
  /** Set when the generation is retired; called when it has no task left. */
  let emptied: (() => void) | null = null;
  /** A hand-over is scheduled for the end of this turn of the event loop. */
  let soon = false;
  /** The lane that was served last. */
  let turn: Lane = 'calls';

  const waiting = (): number => LANES.reduce((sum, name) => sum + lanes[name].length, 0);

  function release(slot: number): void {
    late.delete(slot);
    free.push(slot);
  }

  /** The lanes take turns while several have work, so a long queue in one does not block the others. */
  function nextLane(): Lane | null {
    const served = LANES.indexOf(turn);
    for (let i = 1; i <= LANES.length; i += 1) {
      const name = LANES[(served + i) % LANES.length]!;
      if (firstIn(name) !== -1) return name;
    }
    return null;
  }

  /**
   * Index of the first task that can be sent, or dropped because it is settled; -1 if there is none. A large body for
   * which there is no room waits, and later tasks overtake it. So does a bulky one for which there is no thread.
   */
  function firstIn(lane: Lane): number {
    return lanes[lane].findIndex(({ settled, job }) => {
      if (settled) return true;
      const more = largeBytes(job);
      return (large === 0 || more === 0 || large + more <= roomAtWork) && (!isBulky(job) || hasThreadForBulk());
    });
  }

  /** Where there are several threads, one is kept for short bodies: those must not wait for a body of megabytes. */
  function hasThreadForBulk(): boolean {
    return bulky < Math.max(1, threads.ready() - 1);
  }

  /**
   * Sends batches while threads are free. A thread gets one batch at a time, and none while it is still starting: the
   * rest waits in this queue, where it can be counted and cancelled.
   */
  function handOver(): void {
    while (hands.size < threads.ready() && isWorthAThread()) {
      const name = nextLane();
      if (name === null) break;
      const lane = lanes[name];
      const at = firstIn(name);
      const first = lane[at]!;
      if (first.settled) {
        lane.splice(at, 1);
        waitingBytes -= first.job.bytes.length;
        release(first.slot);
        continue;
      }
      turn = name;
      const share = Math.ceil(lane.length / threads.wanted());
      send(lane.splice(at, batchSize(at === 0 ? lane : lane.slice(at), share, pace.bytes())), name);
    }
    if (hands.size === 0 && waiting() === 0) emptied?.();
  }

  /**
   * Whether the queued work is worth waking another thread. A thread that wakes up scans its first body at a third of
   * its speed, so a few small bodies are done sooner by a thread that is already awake. The exception is when that
   * thread has an expensive body, which shows by its taking too long.
   */
  function isWorthAThread(): boolean {
    if (hands.size === 0 || waitingBytes > LEAST_BYTES || last.bytes > LEAST_BYTES) return true;
    return performance.now() - last.at > PATIENCE_MS;
  }

  /**
   * Sends what arrives in one turn of the event loop together: waking a thread costs more than scanning a short body.
   */
  function handOverSoon(): void {
    if (waiting() >= MOST_JOBS) handOver();
    else if (!soon) {
      soon = true;
      setImmediate(() => {
        soon = false;
        handOver();
      });
    }
  }

  function send(batch: readonly Task[], lane: Lane): void {
    large += largeBytes(batch[0]!.job);
    const slots = batch.map(({ slot }) => slot);
    const hand = inHand(slots, bytesOf(batch), performance.now());
    last = hand;
    waitingBytes -= hand.bytes;
    hands.add(hand);
    const isBulk = isBulky(batch[0]!.job);
    if (isBulk) bulky += 1;
    threads.work(batch, (answers) => {
      hands.delete(hand);
      if (isBulk) bulky -= 1;
      if (answers !== null) measure(batch, slots, lane);
      ended(batch, slots, answers);
    });
  }

  function lookAtHands(now: number): void {
    for (const hand of hands) lookAt(hand, control, now);
  }

  function measure(batch: readonly Task[], slots: readonly number[], lane: Lane): void {
    let sum = 0;
    for (const [i, { job }] of batch.entries()) {
      const ms = tookIn(control, slots[i]!);
      sum += ms;
      pace.measured(job.bytes.length, ms);
    }
    events.measured(lane, sum / batch.length);
  }

  /**
   * A batch has ended. `answers` is null when the thread died. Which task caused that is not known, so each one is
   * tried once more, alone.
   */
  function ended(batch: readonly Task[], slots: readonly number[], answers: Answers | null): void {
    large -= largeBytes(batch[0]!.job);
    for (const slot of slots) release(slot);
    if (answers === null && batch.some(({ settled }) => !settled)) events.crashed();
    for (const [index, task] of batch.entries()) {
      // The task was queued again meanwhile, here or in a newer generation. Its outcome comes from there.
      if (task.settled || task.slot !== slots[index] || task.generation !== self) continue;
      if (answers !== null) events.finish(task, answerOf(answers[index]));
      else if (!events.retry(task)) events.finish(task, { kind: 'error', reason: 'crash' });
    }
    handOver();
  }

  const self: Generation = {
    threads,
    take(task) {
      const slot = free.pop();
      if (slot === undefined) {
        events.finish(task, { kind: 'overloaded' });
        return;
      }
      task.generation = self;
      task.slot = slot;
      clearSlot(control, slot);
      lanes[task.lane].push(task);
      waitingBytes += task.job.bytes.length;
      handOverSoon();
    },
    cancel({ slot }) {
      cancelSlot(control, slot);
      if (!late.has(slot)) late.set(slot, performance.now());
    },
    isWaiting: (task) => lanes[task.lane].includes(task),
    isRunning: ({ slot }) => runningFor(control, slot) !== null,
    isOverloaded(task, now) {
      const isAlone = waiting() === 0 && [...hands].every(({ slots }) => slots.every((slot) => slot === task.slot));
      if (isAlone || hands.size < Math.max(1, threads.ready())) return false;
      lookAtHands(now);
      return [...hands].every((hand) => !isStuck(hand, now));
    },
    endStuck(now) {
      for (const [slot, since] of late) {
        const run = now - since < KILL_AFTER_MS ? null : runningFor(control, slot);
        if (run !== null && threads.end(run.thread)) return true;
      }
      return false;
    },
    waiting,
    isBusy: () => hands.size > 0,
    look(now) {
      lookAtHands(now);
      handOver();
    },
    async retire(withinMs) {
      // The `close()` of piscina can terminate threads that are still scanning. This waits for the last task, but not
      // forever.
      const empty = new Promise<true>((resolve) => {
        emptied = () => resolve(true);
      });
      const outOfTime = new Promise<false>((resolve) => {
        setTimeout(resolve, withinMs, false).unref();
      });
      if (hands.size === 0 && waiting() === 0) emptied?.();
      await ((await Promise.race([empty, outOfTime])) ? threads.retire() : threads.close());
    },
  };
  threads.onReady(handOver);
  return self;
}

function isBulky({ bytes }: Job): boolean {
  return bytes.length > BULK_BYTES;
}

/** The size of a large body, 0 for others. A large body is always the first of its batch, and alone in it. */
function largeBytes({ bytes }: Job): number {
  return bytes.length > LARGE_BYTES ? bytes.length : 0;
}

/**
 * A thread answers `null` for the usual outcome, "nothing found", which need not be copied. A missing answer
 * (`undefined`) is a failure.
 */
function answerOf(answer: Answers[number] | undefined): JobOutcome {
  if (answer === undefined) return { kind: 'error', reason: 'engine' };
  return answer ?? NOTHING_FOUND;
}
