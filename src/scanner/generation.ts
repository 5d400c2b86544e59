/** Threads with one ruleset, and the work that waits for them or that they have in hand. */
import type { Answers, Ended, Job, JobKind } from '../domain/batch.ts';
import type { Placed } from '../domain/roster.ts';
import type { Lane } from './admission.ts';
import { batchSize, NOTHING_FOUND, pack } from './batch.ts';
import { cancelSlot, clearSlot, runningFor } from './control.ts';
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
  /** Ends one thread that went on for too long with what was cancelled; false when there is none. */
  endStuck(now: number): boolean;
  waiting(): number;
  isBusy(): boolean;
  /** Takes nothing more; the threads end with the last of what they have. */
  retire(withinMs: number): void;
}

export interface GenerationEvents {
  finish(task: Task, outcome: Ended): void;
  /** Whether it is tried once more. */
  again(task: Task): boolean;
  measured(lane: Lane, ms: number): void;
  crashed(): void;
}

/** After the deadline a scan ends itself at its next slice; a thread that has not is ended from outside. */
const KILL_AFTER_MS = 300;

export function createGeneration(threads: Threads, events: GenerationEvents): Generation {
  const { control } = threads;
  const free = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index);
  /** Tasks with a slot that no thread has taken yet, the first first. */
  const lanes: Readonly<Record<Lane, Task[]>> = { calls: [], answers: [] };
  /** Slots of tasks that nobody waits for any more, and since when. A thread that runs one of them for long is stuck. */
  const late = new Map<number, number>();
  /** Threads at work, each on one batch. */
  let busy = 0;
  let retired = false;
  let turn: Lane = 'calls';

  const waiting = (): number => lanes.calls.length + lanes.answers.length;

  function release(slot: number): void {
    late.delete(slot);
    free.push(slot);
  }

  /** The lanes take turns while both have work: however long one of them is, the other moves. */
  function nextLane(): Lane {
    const other: Lane = turn === 'calls' ? 'answers' : 'calls';
    return lanes[other].length > 0 ? other : turn;
  }

  /** One batch to a thread at a time, and to none that is still starting: what comes meanwhile waits here, where it can be counted and taken back. */
  function handOver(): void {
    while (busy < threads.ready() && waiting() > 0) {
      const name = nextLane();
      const lane = lanes[name];
      const first = lane[0]!;
      if (first.settled) {
        lane.shift();
        release(first.slot);
        continue;
      }
      turn = name;
      send(lane.splice(0, batchSize(lane, Math.ceil(lane.length / threads.wanted))), name);
    }
    if (retired && busy === 0 && waiting() === 0) void threads.close();
  }

  function send(batch: readonly Task[], lane: Lane): void {
    busy += 1;
    const slots = batch.map(({ slot }) => slot);
    const startedAt = performance.now();
    threads.work(pack(batch)).then(
      (answers) => {
        events.measured(lane, (performance.now() - startedAt) / batch.length);
        ended(batch, slots, answers);
      },
      () => ended(batch, slots, null),
    );
  }

  /** Without answers: the thread died. Whose doing it was is not known, so each is tried once more, by itself. */
  function ended(batch: readonly Task[], slots: readonly number[], answers: Answers | null): void {
    busy -= 1;
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
      handOver();
    },
    cancel({ slot }) {
      cancelSlot(control, slot);
      if (!late.has(slot)) late.set(slot, performance.now());
    },
    isWaiting: (task) => lanes[task.lane].includes(task),
    isRunning: ({ slot }) => runningFor(control, slot) !== null,
    endStuck(now) {
      for (const [slot, since] of late) {
        const run = now - since < KILL_AFTER_MS ? null : runningFor(control, slot);
        if (run !== null && threads.end(run.thread)) return true;
      }
      return false;
    },
    waiting,
    isBusy: () => busy > 0,
    retire(withinMs) {
      retired = true;
      // The library's own close() can end threads that are still at work; ours waits for the last task, but not for a stuck one.
      if (busy === 0 && waiting() === 0) void threads.close();
      else setTimeout(() => void threads.close(), withinMs).unref();
    },
  };
  threads.onReady(handOver);
  return self;
}

/** A thread says `null` for the usual answer, which need not be copied. Only that: an answer that is missing is a failure. */
function answerOf(answer: Answers[number] | undefined): Ended {
  if (answer === undefined) return { kind: 'error', reason: 'engine' };
  return answer ?? NOTHING_FOUND;
}
