/**
 * The one door to piscina. The library runs tasks on threads; when to admit, how long to wait, what a failure means and
 * when a thread or the whole pool is beyond help is decided here, because each of those has failed there (docs/security.md).
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Answers, Ended, Job, JobKind } from '../domain/batch.ts';
import type { Outcome } from '../domain/job.ts';
import type { Problem, Signature } from '../domain/signature.ts';
import type { StreamOutcome } from '../domain/stream.ts';
import { createRoster, NOWHERE, type Placed } from '../domain/roster.ts';
import { batchSize, NOTHING_FOUND, pack } from './batch.ts';
import { cancelSlot, clearSlot, createControl, runningFor } from './control.ts';
import type { Scanner } from './scanner.ts';

export interface PoolSettings {
  readonly threads: number;
  /** From hand-over to verdict, for a body of up to a megabyte. */
  readonly timeoutMs: number;
  /** Tests and the bench make threads fail; absent in production. */
  readonly faults?: Readonly<Record<string, unknown>>;
}

export interface PoolEvents {
  worker(event: 'crash' | 'killed' | 'replaced'): void;
  log(message: string, reason: string): void;
}

/** What a thread says about itself: how many signatures it holds, or what is wrong with them. */
export interface Readiness {
  readonly count: number;
  readonly problems: readonly Problem[];
}

const WORKER = fileURLToPath(new URL('../../workers/scan.js', import.meta.url));

const SLOTS = 4096;
const MAX_BYTES_IN_FLIGHT = 67_108_864;
/** Queued work is admitted as long as it should start within this time, going by what scans have cost lately. */
const QUEUE_TARGET_MS = 50;
const MIN_ADMITTED = 64;
/** The engine is held to 10 MB/s on hostile text, so size alone must not buy a timeout, and with it a way through. */
const BYTES_PER_EXTRA_MS = 10_000;
const LARGE_BYTES = 1_048_576;
const TICK_MS = 10;
/** After the deadline a scan ends itself at its next slice; a thread that has not is ended from outside. */
const KILL_AFTER_MS = 300;
/** Ending threads costs more than it gives when every one of them is slow, and not stuck. */
const KILL_EVERY_MS = 250;
const RETIRE_AFTER_MS = 2000;
const CANARY_EVERY_MS = 1000;
const CANARY_MISSES = 2;

/** One pool with one ruleset. A pool is never mended: it is replaced by another. */
interface Generation {
  readonly piscina: Piscina;
  readonly control: Int32Array;
  readonly free: number[];
  readonly count: number;
  /** Tasks with a slot that no thread has taken yet, the first first. */
  readonly waiting: Task[];
  /** Slots of tasks that nobody waits for any more, and since when. A thread that runs one of them for long is stuck. */
  readonly late: Map<number, number>;
  /** Threads at work, each on one batch. */
  busy: number;
  retired: boolean;
}

interface Task extends Placed {
  readonly kind: JobKind;
  readonly job: Job;
  readonly settle: (outcome: Ended) => void;
  readonly queueBy: number;
  readonly endBy: number;
  generation: Generation;
  slot: number;
  retried: boolean;
  settled: boolean;
}

export async function createPool(
  initial: readonly Signature[],
  settings: PoolSettings,
  events: PoolEvents,
): Promise<{ scanner: Scanner; problems: readonly Problem[] }> {
  let signatures = initial;
  let current: Generation | null = null;
  let failure: string | null = 'warming';
  let closed = false;
  let lastKill = 0;
  let runMs = 1;
  let bytesInFlight = 0;
  const tasks = createRoster<Task>();

  async function build(next: readonly Signature[]): Promise<Generation | readonly Problem[]> {
    const control = createControl(SLOTS);
    const piscina = new Piscina({
      filename: WORKER,
      minThreads: settings.threads,
      maxThreads: settings.threads,
      idleTimeout: Infinity,
      concurrentTasksPerWorker: 1,
      atomics: 'async',
      recordTiming: false,
      maxQueue: Infinity,
      // Without a bound of its own the young generation of newer V8s outgrows the old one, and running out then ends the
      // process instead of the thread.
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 },
      workerData: { signatures: next, control, ...(settings.faults === undefined ? {} : { faults: settings.faults }) },
    });
    // A thread that dies with no task in hand has nobody else to tell, and an unheard error ends the process.
    piscina.on('error', () => events.worker('crash'));
    try {
      const readiness = await within(10_000, Promise.all(warm(piscina, settings.threads)));
      const problems = readiness.flatMap((one) => one.problems);
      const proof =
        problems.length > 0 ? problems : ((await within(20_000, piscina.run(null, { name: 'prove' }))) as Problem[]);
      if (proof.length > 0) {
        await piscina.destroy();
        return proof;
      }
      const free = Array.from({ length: SLOTS }, (_, index) => SLOTS - 1 - index);
      return {
        piscina,
        control,
        free,
        count: readiness[0]!.count,
        waiting: [],
        late: new Map(),
        busy: 0,
        retired: false,
      };
    } catch (error) {
      await piscina.destroy().catch(() => {});
      throw error;
    }
  }

  function retire(generation: Generation): void {
    generation.retired = true;
    // The library's own close() can end threads that are still at work; ours waits for the last task, but not for a stuck one.
    if (idle(generation)) void generation.piscina.destroy();
    else setTimeout(() => void generation.piscina.destroy(), settings.timeoutMs + RETIRE_AFTER_MS).unref();
  }

  function admitted(job: Job): boolean {
    const waiting = Math.max(MIN_ADMITTED, Math.floor((settings.threads * QUEUE_TARGET_MS) / Math.max(runMs, 0.02)));
    return (
      tasks.size() < Math.min(waiting, SLOTS) &&
      // One body of any legal size always fits: being alone, it cannot be too much.
      (bytesInFlight === 0 || bytesInFlight + job.bytes.length <= MAX_BYTES_IN_FLIGHT)
    );
  }

  function dispatch(task: Task): void {
    const { generation } = task;
    const slot = generation.free.pop();
    if (slot === undefined) {
      finish(task, { kind: 'overloaded' });
      return;
    }
    task.slot = slot;
    clearSlot(generation.control, slot);
    generation.waiting.push(task);
    handOver(generation);
  }

  /** One batch to a thread at a time: what comes meanwhile waits here, where it can be counted and taken back. */
  function handOver(generation: Generation): void {
    const { waiting } = generation;
    while (waiting.length > 0 && generation.busy < settings.threads) {
      const first = waiting[0]!;
      if (first.settled) {
        waiting.shift();
        generation.late.delete(first.slot);
        generation.free.push(first.slot);
        continue;
      }
      send(generation, waiting.splice(0, batchSize(waiting, Math.ceil(waiting.length / settings.threads))));
    }
    if (generation.retired && idle(generation)) void generation.piscina.destroy();
  }

  function send(generation: Generation, batch: readonly Task[]): void {
    generation.busy += 1;
    const slots = batch.map(({ slot }) => slot);
    const startedAt = performance.now();
    const message = pack(batch);
    generation.piscina.run(message, { name: 'work', transferList: [message.bytes.buffer as ArrayBuffer] }).then(
      (answers: Answers) => {
        runMs += 0.05 * ((performance.now() - startedAt) / batch.length - runMs);
        ended(generation, batch, slots, answers);
      },
      () => ended(generation, batch, slots, null),
    );
  }

  /** Without answers: the thread died. Whose doing it was is not known, so each is tried once more, by itself. */
  function ended(
    generation: Generation,
    batch: readonly Task[],
    slots: readonly number[],
    answers: Answers | null,
  ): void {
    generation.busy -= 1;
    for (const slot of slots) {
      generation.late.delete(slot);
      generation.free.push(slot);
    }
    if (answers === null && batch.some(({ settled }) => !settled)) events.worker('crash');
    for (const [index, task] of batch.entries()) {
      // Tried elsewhere meanwhile: its answer comes from there.
      if (task.settled || task.slot !== slots[index] || task.generation !== generation) continue;
      if (answers !== null) finish(task, answerOf(answers[index]));
      else if (!again(task)) finish(task, { kind: 'error', reason: 'crash' });
    }
    handOver(generation);
  }

  /** Once more, while there is time. The second time the body itself is suspect. */
  function again(task: Task): boolean {
    if (task.retried || closed || current === null || performance.now() >= task.endBy) return false;
    task.retried = true;
    task.generation = current;
    dispatch(task);
    return true;
  }

  function finish(task: Task, outcome: Ended): void {
    if (task.settled) return;
    task.settled = true;
    tasks.remove(task);
    bytesInFlight -= task.job.bytes.length;
    task.settle(outcome);
  }

  /** Deadlines of ours, since the library's signals bypass its own limits and end threads that do native work. */
  const tick = setInterval(() => {
    const now = performance.now();
    tasks.each((task) => {
      if (now < task.queueBy) return;
      if (now >= task.endBy) expire(task, 'run');
      else if (runningFor(task.generation.control, task.slot) === null) waitedLong(task);
    });
    watch(now);
  }, TICK_MS);
  tick.unref();

  /** Behind one that does not end, in its batch, or behind all of them. The first is cured by another thread. */
  function waitedLong(task: Task): void {
    const { generation, slot } = task;
    const sent = !generation.waiting.includes(task);
    cancel(generation, slot);
    if (!sent || !again(task)) finish(task, { kind: 'timeout', phase: 'queue' });
  }

  function expire(task: Task, phase: 'queue' | 'run'): void {
    cancel(task.generation, task.slot);
    // A body of megabytes had its megabytes' worth of time. In open mode a timeout would let it pass: size must not buy that.
    const isSenders = phase === 'run' && task.job.bytes.length > LARGE_BYTES;
    finish(task, isSenders ? { kind: 'unreadable', reason: 'scan-budget' } : { kind: 'timeout', phase });
  }

  function cancel(generation: Generation, slot: number): void {
    cancelSlot(generation.control, slot);
    if (!generation.late.has(slot)) generation.late.set(slot, performance.now());
  }

  function watch(now: number): void {
    if (current === null || current.late.size === 0 || now - lastKill < KILL_EVERY_MS) return;
    const { control, late, piscina } = current;
    for (const [slot, since] of late) {
      const run = now - since < KILL_AFTER_MS ? null : runningFor(control, slot);
      const thread = run === null ? undefined : piscina.threads.find(({ threadId }) => threadId === run.thread);
      if (thread === undefined) continue;
      lastKill = now;
      events.worker('killed');
      void thread.terminate();
      return;
    }
  }

  let misses = 0;
  let missing = 0;
  const canary = setInterval(() => {
    const generation = current;
    if (generation === null || closed) return;
    missing = generation.piscina.threads.length < settings.threads ? missing + 1 : 0;
    if (generation.busy === 0) {
      within(CANARY_EVERY_MS, generation.piscina.run(null, { name: 'ready' })).then(
        () => {
          misses = 0;
        },
        () => {
          misses += 1;
        },
      );
    }
    if (misses >= CANARY_MISSES || missing >= CANARY_MISSES) {
      misses = 0;
      missing = 0;
      void rebuild('threads do not answer');
    }
  }, CANARY_EVERY_MS);
  canary.unref();

  let rebuilding = false;
  async function rebuild(why: string): Promise<void> {
    if (rebuilding || closed) return;
    rebuilding = true;
    events.worker('replaced');
    events.log('scanner pool is being replaced', why);
    for (let wait = 100; !closed; wait = Math.min(wait * 2, 5000)) {
      try {
        const built = await build(signatures);
        if (Array.isArray(built)) {
          failure = 'signatures do not compile';
          break;
        }
        swap(built as Generation);
        break;
      } catch (error) {
        failure = 'threads do not start';
        events.log('scanner threads do not start', startFailure(error));
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
    }
    rebuilding = false;
  }

  function swap(next: Generation): void {
    const old = current;
    current = next;
    failure = null;
    if (old !== null) retire(old);
  }

  function run(kind: JobKind, job: Job): Promise<Ended> {
    const generation = current;
    if (generation === null || closed) return Promise.resolve({ kind: 'error', reason: 'not-ready' });
    if (!admitted(job)) return Promise.resolve({ kind: 'overloaded' });
    return new Promise((settle) => {
      const since = performance.now();
      const allowance = settings.timeoutMs + Math.max(0, job.bytes.length - LARGE_BYTES) / BYTES_PER_EXTRA_MS;
      const task: Task = {
        kind,
        job,
        settle,
        queueBy: since + settings.timeoutMs / 2,
        endBy: since + allowance,
        generation,
        slot: -1,
        retried: false,
        settled: false,
        place: NOWHERE,
      };
      tasks.add(task);
      bytesInFlight += job.bytes.length;
      dispatch(task);
    });
  }

  const scanner: Scanner = {
    scan: (job) => run('scan', job) as Promise<Outcome>,
    async check(job) {
      const ended = await run('check', job);
      // What failed before the body was even read failed for the whole of it.
      return ended.kind === 'checked' || ended.kind === 'invalid'
        ? ended
        : { kind: 'checked', many: false, outcomes: [ended as Outcome] };
    },
    stream: (job) => run('stream', job) as Promise<StreamOutcome>,
    health: () => ({ scanner: failure, signatures: current !== null && current.count === 0 ? 'none loaded' : null }),
    signatureCount: () => current?.count ?? 0,
    depth: () => current?.waiting.length ?? 0,
    async replace(next) {
      const built = await build(next);
      if (Array.isArray(built)) return built as readonly Problem[];
      if (closed) {
        retire(built as Generation);
        return [];
      }
      signatures = next;
      swap(built as Generation);
      return [];
    },
    async close() {
      closed = true;
      clearInterval(tick);
      clearInterval(canary);
      tasks.each((task) => finish(task, { kind: 'error', reason: 'not-ready' }));
      await current?.piscina.destroy();
    },
  };

  try {
    const built = await build(initial);
    if (Array.isArray(built)) {
      failure = 'signatures do not compile';
      return { scanner, problems: built as readonly Problem[] };
    }
    swap(built as Generation);
  } catch (error) {
    failure = 'threads do not start';
    void rebuild(startFailure(error));
  }
  return { scanner, problems: [] };
}

/** The one failure that every newcomer with a strict package manager meets, said with its cure. */
function startFailure(error: unknown): string {
  const { message } = error as Error;
  if (/re2/.test(message) && /Cannot find module|not found/i.test(message)) {
    return 're2 is not built: allow its install script and run `npm rebuild re2`';
  }
  return message.slice(0, 200);
}

function idle({ busy, waiting }: Generation): boolean {
  return busy === 0 && waiting.length === 0;
}

/** A thread says `null` for the usual answer, which need not be copied. Only that: an answer that is missing is a failure. */
function answerOf(answer: Answers[number] | undefined): Ended {
  if (answer === undefined) return { kind: 'error', reason: 'engine' };
  return answer ?? NOTHING_FOUND;
}

/** One `ready` per thread at once: with one task a thread, each thread takes one. */
function warm(piscina: Piscina, threads: number): Promise<Readiness>[] {
  return Array.from({ length: threads }, () => piscina.run(null, { name: 'ready' }) as Promise<Readiness>);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
