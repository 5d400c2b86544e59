/**
 * Enforces the deadlines of scans. The abort signals of piscina are not used for this: they bypass the library's own
 * limits and terminate threads that are busy in native code.
 */
import type { JobOutcome } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { LARGE_BYTES } from '../domain/memory.ts';
import type { Roster } from '../domain/roster.ts';
import type { Task } from './generation.ts';
import { isBulky, largeBytesOf } from './running-batches.ts';

/** How often deadlines are looked at, and the clock that they are measured with ticks. */
export const TICK_MS = 10;

export interface OverdueActions {
  finish(task: Task, outcome: JobOutcome): void;
  /** Tries the task once more; false when that is not possible. */
  retry(task: Task): boolean;
  /** Whether the task shared the scanner with others at any time since it arrived, or no thread was free for it. */
  hadCompany(task: Task): boolean;
}

/**
 * A shorter body is scanned almost at once, even the slowest known one on a thread that has just started. If it exceeds its
 * time all the same, the scanner is at fault. Of a longer one it may be the sender's doing: 13 KB made of one example for
 * each signature took half a second on a thread that had compiled none of them yet, and so was let through in open mode.
 */
const SHORT_BYTES = 4096;
/**
 * Extra time, in bytes per millisecond. In open mode a timeout would let a body pass, so neither its size nor its words
 * must cause one. `coldThread`: a thread that has just started, or that has long not met the words of some signatures,
 * first compiles their patterns, up to one for every hundred bytes. `upToLarge` is the speed of the slowest texts up to a
 * megabyte, `beyondLarge` that of hidden text in larger bodies.
 */
const BYTES_PER_EXTRA_MS = { coldThread: 12, upToLarge: 2000, beyondLarge: 10_000 } as const;
export const MAX_COMPILE_MS = 1000;

/** How long a body of this size may take in total. `timeoutMs` is what a short one may take. */
export function allowanceFor(bytes: number, timeoutMs: number): number {
  const extraBytes = Math.max(0, Math.min(bytes, LARGE_BYTES) - SHORT_BYTES);
  const compileMs = Math.min(MAX_COMPILE_MS, bytes / BYTES_PER_EXTRA_MS.coldThread);
  return (
    timeoutMs +
    compileMs +
    extraBytes / BYTES_PER_EXTRA_MS.upToLarge +
    Math.max(0, bytes - LARGE_BYTES) / BYTES_PER_EXTRA_MS.beyondLarge
  );
}

/**
 * Checks every few milliseconds what is overdue, or wanted by nobody any more, after calling `onTick`. Returns a function
 * that stops the checks.
 */
export function enforceDeadlines(
  tasks: Roster<Task>,
  clock: Clock,
  actions: OverdueActions,
  onTick: (now: number) => void,
): () => void {
  // Not in the timer itself: after a stall of the main thread, timers run before the answers that have arrived meanwhile,
  // and a task with an answer is not overdue.
  const timer = setInterval(() => setImmediate(check), TICK_MS);
  timer.unref();
  let stopped = false;

  function check(): void {
    if (stopped) return;
    clock.tick();
    const now = clock.now();
    onTick(now);
    tasks.each((task) => {
      if (!task.isWanted()) {
        // Until its time is over, its thread is not at fault for being busy with it.
        task.generation.cancel(task, task.endBy);
        actions.finish(task, { kind: 'abandoned' });
        return;
      }
      if (now < task.queueBy) return;
      if (now >= task.endBy) endPassed(task, now);
      else if (!task.generation.isRunning(task)) startPassed(task, now);
    });
  }

  /**
   * The task did not start in time. Either it is in a batch behind a task that does not end, or no thread was free for
   * it. In the first case another thread may help, so it is tried again.
   */
  function startPassed(task: Task, now: number): void {
    const wasSent = !task.generation.cancel(task);
    if (wasSent && actions.retry(task)) return;
    // A large body may wait for memory, and a bulky or slow one for a thread that takes such bodies, while another thread
    // is idle.
    const isForRoom = !wasSent && (isBulky(task) || largeBytesOf(task) > 0);
    if (isForRoom || isOverload(task, now)) actions.finish(task, { kind: 'overloaded' });
    else actions.finish(task, failureOf(task, 'queue'));
  }

  /**
   * The task did not end in time. A longer body had all the time that its size allows. In open mode a timeout would let
   * it pass unscanned, which a sender could cause with expensive filler text. So it is reported as unreadable, which is
   * refused in every mode.
   *
   * All of that may not be enough where patterns have to be compiled for it and the processor is shared: on a busy machine,
   * the first honest bodies of 5 KB after a start took longer. What is compiled then is kept, so the time is granted once.
   */
  function endPassed(task: Task, now: number): void {
    if (task.compileMs > 0 && task.generation.hasCompiledFor(task)) {
      task.endBy = now + task.compileMs;
      task.compileMs = 0;
      return;
    }
    const overload = isOverload(task, now);
    task.generation.cancel(task);
    if (overload) actions.finish(task, { kind: 'overloaded' });
    else if (task.plainBytes > SHORT_BYTES) actions.finish(task, { kind: 'unreadable', reason: 'scan-budget' });
    else actions.finish(task, failureOf(task, 'run'));
  }

  /**
   * In open mode a timeout lets the body pass unscanned, and a sender must not be able to cause that by sending a lot at
   * once. So a task that had to share the threads, or the CPU cores that they run on, is late because of overload, unless
   * a thread has stopped. It does not matter whether the others are still there: of many that come together, the last
   * ones have used up their time when their turn comes, and are alone by then.
   */
  function isOverload(task: Task, now: number): boolean {
    return actions.hadCompany(task) && task.generation.isProceeding(now);
  }

  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

function failureOf({ threadDied }: Task, phase: 'queue' | 'run'): JobOutcome {
  return threadDied ? { kind: 'error', reason: 'crash' } : { kind: 'timeout', phase };
}
