/**
 * Starts and ends scanning threads. This is the only module that uses piscina: the library starts threads, restarts
 * crashed ones, and runs the one-off tasks (`ready`, `prove`, `leave`). Its queues, limits, deadlines and closing have
 * each failed in some way (docs/security.md), so guard implements these itself.
 */
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Problem } from '../domain/problem.ts';
import { matcherOf, type Matcher, type Signature } from '../domain/signature.ts';
import type { QueuedJob } from './batch.ts';
import { createControl } from './control.ts';
import { createThreadPorts, type Greeting, type OutcomesListener } from './thread-ports.ts';
import { proofsFor } from './proof.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * A set of threads with one ruleset, started and proven. A set that is broken is not repaired, but replaced by a new
 * one.
 */
export interface Threads {
  readonly control: Int32Array;
  readonly signatures: number;
  /** How many threads there should be. */
  wanted(): number;
  /** How many threads can take work, busy or not. */
  ready(): number;
  /** Sets the callback for a further thread that has become ready. */
  onReady(onReady: () => void): void;
  alive(): number;
  /**
   * Sends a batch to a free thread. The caller must make sure that there is one: fewer batches running than threads
   * ready.
   */
  send(jobs: readonly QueuedJob[], onOutcomes: OutcomesListener): void;
  /** Resolves as soon as one thread answers: the watchdog's test whether they still take work. */
  ping(): Promise<unknown>;
  /** Terminates a thread by its threadId; false when it no longer exists, or is being terminated already. */
  terminate(thread: number): boolean;
  /** Starts the rest of the threads in the settings, if fewer were started at first. */
  grow(): Promise<void>;
  /** Terminates the threads at once. */
  close(): Promise<void>;
  /** Ends idle threads while the process goes on. The native memory that they hold outside of V8 is released first. */
  retire(): Promise<void>;
}

export interface ThreadSettings {
  readonly threads: number;
  /**
   * Whether the statistical scanner runs in addition to the signatures; a string is a folder with other weights for it.
   */
  readonly likeness?: boolean | string;
  /** The longest body that may come. */
  readonly maxBytes?: number;
  /**
   * Proves all signatures, including those that were proven at build time: how the shipped ones are tested.
   */
  readonly proof?: 'whole';
  /** Fault injection for tests and benchmarks; absent in production. */
  readonly faults?: Readonly<Record<string, unknown>>;
}

/** What a thread reports after its start: the number of its signatures, or what is wrong with them. */
interface Readiness {
  readonly count: number;
  readonly problems: readonly Problem[];
}

const WORKER = fileURLToPath(new URL('../../workers/scan.js', import.meta.url));
/** The number of tasks that one generation can hold, waiting or being scanned. */
export const SLOTS = 4096;
/**
 * Limits for threads that never finish their start. They are far above the normal duration: a start takes one second of
 * work, or three if everything has to be read and proven, and a machine shared by ten processes takes ten times as
 * long.
 */
export const WARM_MS = 30_000;
const PROVE_MS = 60_000;
/** A thread normally leaves within a tenth of a second. A stuck one is not waited for any longer. */
const LEAVE_MS = 2000;

/**
 * Starts `firstCount` of the threads. Returns the problems of the signatures if there are any. Throws when threads do
 * not start.
 */
export async function startThreads(
  signatures: readonly Signature[],
  settings: ThreadSettings,
  onCrash: () => void,
  firstCount = settings.threads,
): Promise<Threads | readonly Problem[]> {
  const control = createControl(SLOTS);
  const matchers = signatures.map(matcherOf);
  let onThreadReady = (): void => {};
  let closing = false;
  // Piscina starts threads, restarts crashed ones, and runs the one-off tasks. Scans go through the ports, which cost
  // less.
  const ports = createThreadPorts(
    () => onThreadReady(),
    () => {
      if (!closing) onCrash();
    },
  );
  /**
   * A thread in native code ends only when that returns. Told again and again meanwhile, it would hold a listener for each
   * time, and a second one that is stuck would have to wait for it.
   */
  const ending = new WeakSet<Worker>();
  /** One piscina per thread: the library can neither start more threads later, nor run a task on a chosen thread. */
  const piscinas: Piscina[] = [];
  const add = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      const piscina = startThread(matchers, control, settings);
      piscina.on('message', (greeting: Greeting) => ports.open(greeting));
      piscinas.push(piscina);
    }
  };
  const runOn = <Answer>(some: readonly Piscina[], name: string): Promise<Answer[]> =>
    Promise.all(some.map((piscina) => piscina.run(null, { name }) as Promise<Answer>));
  const close = async (): Promise<void> => {
    closing = true;
    await Promise.all(piscinas.map((piscina) => piscina.destroy()));
  };
  const retire = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    await withTimeout(LEAVE_MS, runOn(piscinas, 'leave')).catch(() => {});
    await close();
  };
  try {
    add(firstCount);
    const readiness = await withTimeout(WARM_MS, runOn<Readiness>(piscinas, 'ready'));
    const problems = readiness.flatMap((one) => one.problems);
    const proofs = proofsFor(signatures, firstCount, settings.proof === 'whole');
    const prove = (): Promise<unknown>[] => piscinas.map((piscina, at) => piscina.run(proofs[at], { name: 'prove' }));
    const failed =
      problems.length > 0 ? problems : ((await withTimeout(PROVE_MS, Promise.all(prove()))).flat() as Problem[]);
    if (failed.length > 0) {
      await retire();
      return failed;
    }
    return {
      control,
      signatures: readiness[0]!.count,
      wanted: () => piscinas.length,
      ready: ports.count,
      onReady(callback) {
        onThreadReady = callback;
      },
      alive: () => piscinas.reduce((sum, { threads }) => sum + threads.length, 0),
      send: ports.send,
      ping: () => Promise.any(piscinas.map((piscina) => piscina.run(null, { name: 'ready' }))),
      terminate(thread) {
        const found = piscinas.flatMap(({ threads }) => threads).find(({ threadId }) => threadId === thread);
        if (found === undefined || ending.has(found)) return false;
        ending.add(found);
        void found.terminate();
        return true;
      },
      async grow() {
        if (closing) return;
        const before = piscinas.length;
        add(settings.threads - before);
        // The others may be busy with a body, and be ended for it.
        const readiness = await withTimeout(WARM_MS, runOn<Readiness>(piscinas.slice(before), 'ready'));
        const [problem] = readiness.flatMap((one) => one.problems);
        if (problem !== undefined) throw new Error(problem.message);
      },
      close,
      retire,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

function startThread(signatures: readonly Matcher[], control: Int32Array, settings: ThreadSettings): Piscina {
  const piscina = new Piscina({
    filename: WORKER,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Infinity,
    concurrentTasksPerWorker: 1,
    atomics: 'disabled',
    recordTiming: false,
    maxQueue: Infinity,
    // Without its own limit, the young generation of newer V8 versions outgrows the old one. Running out of memory then
    // kills the process and not only the thread. With a larger limit a thread uses twice as much memory and is no
    // faster.
    resourceLimits: {
      maxOldGenerationSizeMb: heapMbFor(settings.maxBytes),
      maxYoungGenerationSizeMb: 24,
      stackSizeMb: 8,
    },
    workerData: {
      signatures,
      control,
      likeness: settings.likeness ?? false,
      ...(settings.faults === undefined ? {} : { faults: settings.faults }),
    },
  });
  // An `error` event without a listener would end the process. The crash is noticed by the closed port.
  piscina.on('error', () => {});
  return piscina;
}

/**
 * V8 ends a thread that runs out of memory, but the whole process if a single allocation is what exceeds the limit. With
 * a text of many megabytes it always is: each reading of it is such an allocation. The worst known text takes 20 bytes
 * for each of its own.
 */
export function heapMbFor(maxBytes = 0): number {
  return Math.max(LEAST_HEAP_MB, Math.ceil((maxBytes / MB) * HEAP_PER_BYTE));
}

const MB = 1_048_576;
const LEAST_HEAP_MB = 256;
const HEAP_PER_BYTE = 24;

/**
 * Explains the most common start failure: package managers that skip install scripts leave `re2` without its binary.
 */
export function startFailure(error: unknown): string {
  const { message } = error as Error;
  if (/re2/.test(message) && /Cannot find module|not found/i.test(message)) {
    return 're2 is not built: allow its install script and run `npm rebuild re2`';
  }
  return message.slice(0, 200);
}
