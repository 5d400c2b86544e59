/**
 * The `Scanner` that runs on worker threads. It admits jobs, retries them, delivers outcomes, and replaces one
 * generation of threads by the next when the signatures or settings change. The watchdog decides when threads are
 * broken and must be terminated or replaced.
 */
import type { JobOutcome, Job, JobKind } from '../domain/batch.ts';
import { createClock } from '../domain/clock.ts';
import { maxPlainBytes } from '../domain/content-coding.ts';
import type { Outcome } from '../domain/job.ts';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';
import type { StreamOutcome } from '../domain/stream.ts';
import { createRoster, NOT_IN_ROSTER } from '../domain/roster.ts';
import { createAdmission, laneOf, queueTargetFor, type AdmissionLimits } from './admission.ts';
import { allowanceFor, enforceDeadlines, TICK_MS } from './deadlines.ts';
import { createGeneration, type Generation, type GenerationEvents, type Task } from './generation.ts';
import { roomForLargeBodies, roomForWaiting } from './memory-room.ts';
import type { IsWanted, Scanner, Tuning } from './scanner.ts';
import { SLOTS, startFailure, startThreads, type ThreadSettings } from './threads.ts';
import { createWatchdog } from './watchdog.ts';
import { withTimeout } from './with-timeout.ts';

export type PoolSettings = ThreadSettings & Pick<Tuning, 'timeoutMs'>;

export interface PoolEvents {
  worker(event: 'crash' | 'killed' | 'replaced'): void;
  log(message: string, reason: string): void;
}

/**
 * A body that threads die of costs two of them. When more than this many batches have ended so, and none was scanned in
 * between, it is not the bodies: the threads can scan nothing here, and open mode is there for that.
 */
const MOST_DEATHS = 8;
const RETIRE_AFTER_MS = 2000;
/**
 * The remaining new threads wait at most this long for the old ones to end, so that a stuck thread does not block them.
 */
const OLD_END_WITHIN_MS = 1000;

/**
 * If the signatures have problems, these are returned and the scanner never works. Threads that do not start are not
 * such a problem: they are retried indefinitely, and `health` reports it until they start. A caller that does not want
 * to wait must check `health`.
 */
export async function createPool(
  initialSignatures: readonly Signature[],
  initialSettings: PoolSettings,
  events: PoolEvents,
): Promise<{ scanner: Scanner; problems: readonly Problem[] }> {
  let signatures = initialSignatures;
  let settings = initialSettings;
  let current: Generation | null = null;
  /** The current generation, and those before it until their threads have ended. */
  const inUse: Generation[] = [];
  let failure: string | null = 'warming';
  let closed = false;
  /** Pending while the second part of the new threads is being started after a change (see `startGeneration`). */
  let growing: Promise<void> = Promise.resolve();
  const tasks = createRoster<Task>();
  let arrivals = 0;
  /** The arrival of the last task that came while there were others, or while no thread was free. */
  let lastWithCompany = 0;
  const clock = createClock(TICK_MS);
  const admission = createAdmission(SLOTS, limitsFor(settings));
  const crashed = (): void => events.worker('crash');
  let deathsInRow = 0;
  const generationEvents: GenerationEvents = {
    finish,
    retry,
    foundSlow(task) {
      task.isSlow = true;
      admission.left(task.lane, task.job.bytes.length);
      task.lane = 'bulk';
      admission.entered('bulk', task.job.bytes.length);
    },
    restart,
    measured(lane, ms) {
      deathsInRow = 0;
      admission.measured(lane, ms);
    },
    crashed() {
      deathsInRow += 1;
      crashed();
    },
    threadsDie: () => deathsInRow > MOST_DEATHS,
  };

  /**
   * Starts threads with these signatures and swaps them in, unless the signatures have problems. While the old threads
   * run, only half of the new ones are started, and the others once the old ones have ended. All of both at the same
   * time would need twice the memory for a moment, and a process with a tight memory limit would be killed.
   */
  async function startGeneration(next: readonly Signature[], newSettings: PoolSettings): Promise<readonly Problem[]> {
    await growing;
    const first = current === null ? newSettings.threads : Math.ceil(newSettings.threads / 2);
    const threads = await startThreads(next, newSettings, crashed, first);
    if (!('send' in threads)) return threads;
    const built = createGeneration(threads, clock, generationEvents, roomForLargeBodies);
    if (closed) {
      await built.retire(0);
      return [];
    }
    signatures = next;
    swap(built, newSettings);
    return [];
  }

  /**
   * Runs replacements one after the other. Otherwise an older one that takes longer to build would replace a newer one.
   */
  let renewing: Promise<unknown> = Promise.resolve();
  function inOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = renewing.then(work);
    renewing = next.catch(() => {});
    return next;
  }

  /** Retries a task once, if there is time left. */
  function retry(task: Task): boolean {
    if (task.retried) return false;
    task.retried = true;
    return restart(task);
  }

  /** Queues a task that a thread has already had, if there is time left. */
  function restart(task: Task): boolean {
    if (closed || current === null || clock.now() >= task.endBy) return false;
    // The task may have used up its queue time by then, so it gets half of the remaining time to be started.
    task.queueBy = (clock.now() + task.endBy) / 2;
    current.take(task);
    return true;
  }

  function finish(task: Task, outcome: JobOutcome): void {
    if (task.settled) return;
    task.settled = true;
    tasks.remove(task);
    admission.left(task.lane, task.job.bytes.length);
    task.settle(outcome);
  }

  const watchdog = createWatchdog({
    current: () => (closed ? null : current),
    endStuck: (now) => inUse.some((generation) => generation.endStuck(now)),
    killed: () => events.worker('killed'),
    replace: (why) => void rebuild(why),
  });
  const stopDeadlines = enforceDeadlines(
    tasks,
    clock,
    { finish, retry, hadCompany: ({ arrival }) => arrival <= lastWithCompany },
    (now) => {
      for (const generation of inUse) generation.check(now);
      watchdog.check(now);
    },
  );

  let rebuilding = false;
  async function rebuild(why: string): Promise<void> {
    if (rebuilding || closed) return;
    rebuilding = true;
    events.worker('replaced');
    events.log('scanner pool is being replaced', why);
    const broken = current;
    const isReplaced = (): boolean => closed || current !== broken;
    for (let wait = 100; !isReplaced(); wait = Math.min(wait * 2, 5000)) {
      try {
        const problems = await inOrder(async () => (isReplaced() ? [] : startGeneration(signatures, settings)));
        if (problems.length === 0) break;
        failure = 'signatures do not compile';
        events.log('scanner threads do not start', problems[0]!.message);
      } catch (error) {
        failure = 'threads do not start';
        events.log('scanner threads do not start', startFailure(error));
      }
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
    rebuilding = false;
  }

  function swap(next: Generation, newSettings: PoolSettings): void {
    const old = current;
    current = next;
    inUse.push(next);
    failure = null;
    const oldEnded = old?.retire(timeLeftIn(old) + RETIRE_AFTER_MS).finally(() => {
      inUse.splice(inUse.indexOf(old), 1);
    });
    settings = newSettings;
    admission.resize(limitsFor(newSettings));
    growing = withTimeout(OLD_END_WITHIN_MS, Promise.resolve(oldEnded))
      .catch(() => {})
      .then(next.threads.grow)
      .catch((error: unknown) => {
        if (!closed) events.log('scanner threads do not start', startFailure(error));
      });
  }

  /** How long the last of its tasks may take: a long body has more time than `timeoutMs`. */
  function timeLeftIn(generation: Generation): number {
    let left = 0;
    tasks.each((task) => {
      if (task.generation === generation) left = Math.max(left, task.endBy - clock.now());
    });
    return left;
  }

  function run(kind: JobKind, job: Job, isWanted: IsWanted = always): Promise<JobOutcome> {
    const generation = current;
    if (generation === null || closed) return Promise.resolve({ kind: 'error', reason: 'not-ready' });
    const lane = laneOf(kind, job);
    if (!admission.admits(lane, job.bytes.length)) return Promise.resolve({ kind: 'overloaded' });
    return new Promise((settle) => {
      const since = clock.now();
      arrivals += 1;
      const plainBytes =
        'contentEncoding' in job
          ? maxPlainBytes(job.bytes.length, job.contentEncoding, job.maxBytes)
          : job.bytes.length;
      const task: Task = {
        kind,
        lane,
        job,
        plainBytes,
        settle,
        isWanted,
        arrival: arrivals,
        queueBy: since + settings.timeoutMs / 2,
        endBy: since + allowanceFor(plainBytes, settings.timeoutMs),
        generation,
        slot: -1,
        retried: false,
        isSlow: false,
        threadDied: false,
        settled: false,
        index: NOT_IN_ROSTER,
      };
      // A thread can still be busy with a body that was given up, and one that had to be ended for it is being replaced.
      if (tasks.size() > 0 || !generation.hasFreeThread()) lastWithCompany = arrivals;
      tasks.add(task);
      admission.entered(lane, job.bytes.length);
      generation.take(task);
    });
  }

  const scanner: Scanner = {
    scan: (job, isWanted) => run('scan', job, isWanted) as Promise<Outcome>,
    async check(job, isWanted) {
      const ended = await run('check', job, isWanted);
      // A failure before the body was read applies to all of its texts.
      return ended.kind === 'checked' || ended.kind === 'invalid'
        ? ended
        : { kind: 'checked', isList: false, outcomes: [ended as Outcome] };
    },
    stream: (job, isWanted) => run('stream', job, isWanted) as Promise<StreamOutcome>,
    health: () => ({
      scanner: failure,
      signatures: current !== null && current.threads.signatures === 0 ? 'none loaded' : null,
    }),
    signatureCount: () => current?.threads.signatures ?? 0,
    depth: () => current?.waiting() ?? 0,
    replace: (next, tuning) =>
      inOrder(() => startGeneration(next, { ...settings, ...tuning })).catch((error: unknown) => {
        events.log('scanner threads do not start', startFailure(error));
        throw error;
      }),
    async close() {
      closed = true;
      stopDeadlines();
      watchdog.stop();
      tasks.each((task) => {
        task.generation.cancel(task);
        finish(task, { kind: 'error', reason: 'not-ready' });
      });
      await Promise.all(inUse.map(({ threads }) => threads.close()));
    },
  };

  try {
    const problems = await inOrder(() => startGeneration(initialSignatures, initialSettings));
    if (problems.length > 0) {
      failure = 'signatures do not compile';
      return { scanner, problems };
    }
  } catch (error) {
    failure = 'threads do not start';
    void rebuild(startFailure(error));
  }
  return { scanner, problems: [] };
}

function always(): boolean {
  return true;
}

function limitsFor({ threads, timeoutMs }: PoolSettings): AdmissionLimits {
  return { threads, bytes: roomForWaiting(threads), queueMs: queueTargetFor(timeoutMs) };
}
