/**
 * The `Scanner` that runs on worker threads. It admits jobs, gives them to the current generation of threads, retries
 * them, and delivers their outcomes.
 */
import type { JobOutcome, WaitingJob, JobKind } from '../domain/batch.ts';
import { createClock } from '../domain/clock.ts';
import { maxPlainBytes } from '../domain/content-coding.ts';
import type { Outcome } from '../domain/job.ts';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';
import type { StreamOutcome } from '../domain/stream.ts';
import { createRoster, NOT_IN_ROSTER } from '../domain/roster.ts';
import { createAdmission, laneOf, queueTargetFor, type AdmissionLimits, type Lane } from './admission.ts';
import { allowanceFor, enforceDeadlines, MAX_COMPILE_MS, TICK_MS } from './deadlines.ts';
import { createDoubt } from './doubt.ts';
import type { Generation, Task } from './generation.ts';
import { createGenerations, type PoolEvents, type PoolSettings } from './generations.ts';
import { roomForWaiting } from './memory-room.ts';
import { OUR_TEXT_MS, ourResult, ourText, type OurResult } from './our-text.ts';
import type { IsWanted, Scanner } from './scanner.ts';
import { SLOTS } from './threads.ts';

/**
 * A body that threads die of costs two of them. When more than this many batches have ended so, and none was scanned in
 * between, it is not the bodies: the threads can scan nothing here, and open mode is there for that.
 */
const MOST_DEATHS = 8;
const REASON = { scanned: 'a scan has succeeded', oursFail: 'texts of our own fail as well' } as const;

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
  let { timeoutMs } = initialSettings;
  let closed = false;
  const tasks = createRoster<Task>();
  let arrivals = 0;
  /** The arrival of the last task that came while there were others, or while no thread was free. */
  let lastWithCompany = 0;
  const clock = createClock(TICK_MS);
  const admission = createAdmission(SLOTS, limitsFor(initialSettings));
  let deathsInRow = 0;
  /** The text of our own that is being scanned, if any. */
  let ours: Task | null = null;
  const doubt = createDoubt({
    scanOurs,
    changed(failure) {
      if (failure === null) events.log('scanner threads can scan again', REASON.scanned, 'info');
      else events.log('scanner threads cannot scan', REASON.oursFail);
    },
  });
  const generations = createGenerations(
    initialSignatures,
    initialSettings,
    clock,
    {
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
      crashed([task]) {
        if (task !== ours) deathsInRow += 1;
        events.worker('crash');
      },
      threadsDie: () => deathsInRow > MOST_DEATHS,
      settled(settings) {
        timeoutMs = settings.timeoutMs;
        admission.resize(limitsFor(settings));
      },
      timeLeftIn(generation) {
        let left = 0;
        tasks.each((task) => {
          if (task.generation === generation) left = Math.max(left, task.endBy - clock.now());
        });
        return left;
      },
    },
    events,
  );

  /** Retries a task once, if there is time left. */
  function retry(task: Task): boolean {
    if (task.retried) return false;
    task.retried = true;
    return restart(task);
  }

  /** Queues a task that a thread has already had, if there is time left. */
  function restart(task: Task): boolean {
    const current = generations.current();
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
    doubt.ended(outcome);
    task.settle(outcome);
  }

  const stopDeadlines = enforceDeadlines(
    tasks,
    clock,
    { finish, retry, hadCompany: ({ arrival }) => arrival <= lastWithCompany },
    (now) => {
      generations.check(now);
      doubt.check(now);
    },
  );

  function run(kind: JobKind, job: WaitingJob, isWanted: IsWanted = always): Promise<JobOutcome> {
    const generation = generations.current();
    if (generation === null || closed) return Promise.resolve({ kind: 'error', reason: 'not-ready' });
    const lane = laneOf(kind, job);
    if (!admission.admits(lane, job.bytes.length)) return Promise.resolve({ kind: 'overloaded' });
    return new Promise((settle) => {
      const task = taskOf(kind, lane, job, generation, isWanted, settle);
      enter(task);
      generation.take(task);
    });
  }

  function taskOf(
    kind: JobKind,
    lane: Lane,
    job: WaitingJob,
    generation: Generation,
    isWanted: IsWanted,
    settle: Task['settle'],
  ): Task {
    const since = clock.now();
    arrivals += 1;
    const plainBytes =
      'contentEncoding' in job ? maxPlainBytes(job.bytes.length, job.contentEncoding, job.maxBytes) : job.bytes.length;
    const allowance = allowanceFor(plainBytes, timeoutMs);
    return {
      kind,
      lane,
      job,
      plainBytes,
      settle,
      isWanted,
      arrival: arrivals,
      queueBy: since + timeoutMs / 2,
      endBy: since + allowance,
      compileMs: Math.min(allowance, MAX_COMPILE_MS),
      generation,
      slot: -1,
      retried: false,
      isSlow: false,
      threadDied: false,
      settled: false,
      index: NOT_IN_ROSTER,
    };
  }

  function enter(task: Task): void {
    // A thread can still be busy with a body that was given up, and one that had to be ended for it is being replaced.
    if (tasks.size() > 0 || !task.generation.hasFreeThread()) lastWithCompany = task.arrival;
    tasks.add(task);
    admission.entered(task.lane, task.job.bytes.length);
  }

  /** The next thread that is free scans it, alone and once, before all that waits. */
  function scanOurs(): Promise<OurResult> {
    const generation = generations.current();
    if (generation === null || closed) return Promise.resolve('unknown');
    return new Promise((resolve) => {
      const task = taskOf('scan', 'calls', ourText(), generation, always, (outcome) => {
        ours = null;
        resolve(closed ? 'unknown' : ourResult(outcome, task.generation.isRunning(task)));
      });
      task.endBy = clock.now() + OUR_TEXT_MS;
      task.queueBy = task.endBy;
      task.retried = true;
      ours = task;
      enter(task);
      generation.take(task, true);
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
      scanner: generations.failure() ?? doubt.failure(),
      signatures: generations.current()?.threads.signatures === 0 ? 'none loaded' : null,
    }),
    signatureCount: () => generations.current()?.threads.signatures ?? 0,
    depth: () => generations.current()?.waiting() ?? 0,
    replace: generations.replace,
    async close() {
      closed = true;
      stopDeadlines();
      await generations.close(() => {
        tasks.each((task) => {
          task.generation.cancel(task);
          finish(task, { kind: 'error', reason: 'not-ready' });
        });
      });
    },
  };
  return { scanner, problems: await generations.start() };
}

function always(): boolean {
  return true;
}

function limitsFor({ threads, timeoutMs }: PoolSettings): AdmissionLimits {
  return { threads, bytes: roomForWaiting(threads), queueMs: queueTargetFor(timeoutMs) };
}
