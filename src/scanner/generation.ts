/** Threads with one ruleset, and the work that waits for them or that they have in hand. */
import type { Answers, Ended, Job, JobKind } from '../domain/batch.ts';
import type { Placed } from '../domain/roster.ts';
import type { Lane } from './admission.ts';
import { batchSize, bytesOf, LEAST_BYTES, MOST_JOBS, NOTHING_FOUND } from './batch.ts';
import { cancelSlot, clearSlot, runningFor, tookIn } from './control.ts';
import { createPace } from './pace.ts';
import { LARGE_BYTES } from './room.ts';
import { SLOTS, type Threads } from './threads.ts';

export interface Task extends Placed {
  readonly kind: JobKind;
  readonly lane: Lane;
  readonly job: Job;
  readonly settle: (outcome: Ended) => void;
  queueBy: number;
  readonly endBy: number;
  generation: Generation;
  slot: number;
  retried: boolean;
  settled: boolean;
}

export interface Generation {
  readonly threads: Threads;
  /** Takes a task on; its answer comes through the events. */
  take(task: Task): void;
  /** Nobody waits for the answer any more. */
  cancel(task: Task): void;
  /** No thread was given it yet. */
  isWaiting(task: Task): boolean;
  isRunning(task: Task): boolean;
  /** Every thread that there is has a batch in hand and none has had it for longer than the slowest text of that size takes. */
  isCrowded(now: number): boolean;
  /** Ends one thread that went on for too long with what was cancelled; false when there is none. */
  endStuck(now: number): boolean;
  waiting(): number;
  isBusy(): boolean;
  /** Now and then: those that wait behind a slow one go elsewhere. */
  look(): void;
  /** Takes nothing more; the threads end with the last of what they have, and then this does. */
  retire(withinMs: number): Promise<void>;
}

export interface GenerationEvents {
  finish(task: Task, outcome: Ended): void;
  /** Whether it is tried once more. */
  again(task: Task): boolean;
  measured(lane: Lane, ms: number): void;
  crashed(): void;
}

/** A batch that a thread was given, when and how much of it. */
interface InHand {
  readonly at: number;
  readonly bytes: number;
}

/** After the deadline a scan ends itself at its next slice; a thread that has not is ended from outside. */
const KILL_AFTER_MS = 300;
/** Longer than a batch of what is little takes. */
const PATIENCE_MS = 3;
/** As long as a thread may have a batch in hand that is merely slow: the slowest text that a search has found, and a core for six threads. */
const SLOW = { ms: 50, bytesPerMs: 100 } as const;

/** `roomAtWork`: how many bytes of large bodies may be read at once; one alone always may. */
export function createGeneration(threads: Threads, events: GenerationEvents, roomAtWork = Infinity): Generation {
  const { control } = threads;
  const free = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index);
  /** Tasks with a slot that no thread has taken yet, the first first. */
  const lanes: Readonly<Record<Lane, Task[]>> = { calls: [], answers: [] };
  /** Slots of tasks that nobody waits for any more, and since when. A thread that runs one of them for long is stuck. */
  const late = new Map<number, number>();
  /** What the threads have in hand, one batch each. */
  const inHand = new Set<InHand>();
  /** Bytes of the large bodies among those. */
  let large = 0;
  /** Bytes that no thread was given yet. */
  let waitingBytes = 0;
  let last: InHand = { at: 0, bytes: 0 };
  const pace = createPace();
  /** Called when a generation that is left has nothing more to do. */
  let emptied: (() => void) | null = null;
  /** The end of this turn hands over what waits. */
  let soon = false;
  let turn: Lane = 'calls';

  const waiting = (): number => lanes.calls.length + lanes.answers.length;

  function release(slot: number): void {
    late.delete(slot);
    free.push(slot);
  }

  /** The lanes take turns while both have work: however long one of them is, the other moves. */
  function nextLane(): Lane | null {
    const other: Lane = turn === 'calls' ? 'answers' : 'calls';
    if (firstIn(other) !== -1) return other;
    return firstIn(turn) !== -1 ? turn : null;
  }

  /** A large body for which there is no room waits, and those behind it go first. */
  function firstIn(lane: Lane): number {
    return lanes[lane].findIndex(({ settled, job }) => {
      const more = largeBytes(job);
      return settled || large === 0 || more === 0 || large + more <= roomAtWork;
    });
  }

  /** One batch to a thread at a time, and to none that is still starting: what comes meanwhile waits here, where it can be counted and taken back. */
  function handOver(): void {
    while (inHand.size < threads.ready() && isWorthAThread()) {
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
    if (inHand.size === 0 && waiting() === 0) emptied?.();
  }

  /**
   * A thread that wakes reads its first body at a third of its pace. What little waits is sooner done by one that is awake;
   * unless that one meets something dear, which shows in its being late.
   */
  function isWorthAThread(): boolean {
    if (inHand.size === 0 || waitingBytes > LEAST_BYTES || last.bytes > LEAST_BYTES) return true;
    return performance.now() - last.at > PATIENCE_MS;
  }

  /** What comes in one turn of the event loop goes together: to wake a thread costs more than to read a short body. */
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
    const startedAt = performance.now();
    const bytes = bytesOf(batch);
    const hand = { at: startedAt, bytes };
    last = hand;
    waitingBytes -= bytes;
    inHand.add(hand);
    threads.work(batch, (answers) => {
      inHand.delete(hand);
      if (answers !== null) {
        events.measured(lane, (performance.now() - startedAt) / batch.length);
        for (const [i, { job }] of batch.entries()) pace.measured(job.bytes.length, tookIn(control, slots[i]!));
      }
      ended(batch, slots, answers);
    });
  }

  /** Without answers: the thread died. Whose doing it was is not known, so each is tried once more, by itself. */
  function ended(batch: readonly Task[], slots: readonly number[], answers: Answers | null): void {
    large -= largeBytes(batch[0]!.job);
    for (const slot of slots) release(slot);
    if (answers === null && batch.some(({ settled }) => !settled)) events.crashed();
    for (const [index, task] of batch.entries()) {
      // Tried elsewhere meanwhile: its answer comes from there.
      if (task.settled || task.slot !== slots[index] || task.generation !== self) continue;
      if (answers !== null) events.finish(task, answerOf(answers[index]));
      else if (!events.again(task)) events.finish(task, { kind: 'error', reason: 'crash' });
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
    isCrowded: (now) =>
      inHand.size >= Math.max(1, threads.ready()) &&
      [...inHand].every(({ at, bytes }) => now - at <= SLOW.ms + bytes / SLOW.bytesPerMs),
    endStuck(now) {
      for (const [slot, since] of late) {
        const run = now - since < KILL_AFTER_MS ? null : runningFor(control, slot);
        if (run !== null && threads.end(run.thread)) return true;
      }
      return false;
    },
    waiting,
    isBusy: () => inHand.size > 0,
    look: handOver,
    async retire(withinMs) {
      // The library's own close() can end threads that are still at work; ours waits for the last task, but not for a stuck one.
      const empty = new Promise<true>((resolve) => {
        emptied = () => resolve(true);
      });
      const late = new Promise<false>((resolve) => {
        setTimeout(resolve, withinMs, false).unref();
      });
      if (inHand.size === 0 && waiting() === 0) emptied?.();
      await ((await Promise.race([empty, late])) ? threads.retire() : threads.close());
    },
  };
  threads.onReady(handOver);
  return self;
}

/** None where it is not worth counting. A large body is a batch by itself. */
function largeBytes({ bytes }: Job): number {
  return bytes.length > LARGE_BYTES ? bytes.length : 0;
}

/** A thread says `null` for the usual answer, which need not be copied. Only that: an answer that is missing is a failure. */
function answerOf(answer: Answers[number] | undefined): Ended {
  if (answer === undefined) return { kind: 'error', reason: 'engine' };
  return answer ?? NOTHING_FOUND;
}
