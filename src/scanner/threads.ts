/**
 * Starts and ends scanning threads. This is the only module that uses piscina: the library starts threads, restarts
 * crashed ones, and runs the one-off tasks (`ready`, `prove`, `leave`). Its queues, limits, deadlines and closing have
 * each failed in some way (docs/security.md), so guard implements these itself.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { matcherOf, type Matcher, type Problem, type Signature } from '../domain/signature.ts';
import type { Waiting } from './batch.ts';
import { createControl } from './control.ts';
import { createDoors, type Greeting, type Hearer } from './doors.ts';
import { proofsFor } from './proof.ts';
import { within } from './within.ts';

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
  onReady(hear: () => void): void;
  alive(): number;
  /**
   * Sends a batch to a free thread. The caller must make sure that there is one: fewer batches in hand than threads
   * ready.
   */
  work(jobs: readonly Waiting[], hear: Hearer): void;
  /** Resolves as soon as one thread answers: the watchdog's test whether they still take work. */
  answer(): Promise<unknown>;
  /** Terminates a thread by its threadId; false when it no longer exists. */
  end(thread: number): boolean;
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
  /**
   * Proves all signatures, including those that were proven at build time. Used by the commands that test signatures.
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
const WARM_MS = 30_000;
const PROVE_MS = 60_000;
/** A thread normally leaves within a tenth of a second. A stuck one is not waited for any longer. */
const LEAVE_MS = 2000;

/**
 * Starts `first` of the threads. Returns the problems of the signatures if there are any. Throws when threads do not
 * start.
 */
export async function startThreads(
  signatures: readonly Signature[],
  settings: ThreadSettings,
  crashed: () => void,
  first = settings.threads,
): Promise<Threads | readonly Problem[]> {
  const control = createControl(SLOTS);
  const matchers = signatures.map(matcherOf);
  let hear = (): void => {};
  let closing = false;
  // Piscina starts threads, restarts crashed ones, and runs the one-off tasks. Scans go through the doors, which cost
  // less.
  const doors = createDoors(
    () => hear(),
    () => {
      if (!closing) crashed();
    },
  );
  /** One piscina per thread: the library can neither start more threads later, nor run a task on a chosen thread. */
  const each: Piscina[] = [];
  const add = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      const piscina = startThread(matchers, control, settings);
      piscina.on('message', (greeting: Greeting) => doors.open(greeting));
      each.push(piscina);
    }
  };
  const all = <Answer>(name: string): Promise<Answer[]> =>
    Promise.all(each.map((piscina) => piscina.run(null, { name }) as Promise<Answer>));
  const close = async (): Promise<void> => {
    closing = true;
    await Promise.all(each.map((piscina) => piscina.destroy()));
  };
  const retire = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    await within(LEAVE_MS, all('leave')).catch(() => {});
    await close();
  };
  try {
    add(first);
    const readiness = await within(WARM_MS, all<Readiness>('ready'));
    const problems = readiness.flatMap((one) => one.problems);
    const proofs = proofsFor(signatures, first, settings.proof === 'whole');
    const proving = (): Promise<unknown>[] => each.map((piscina, at) => piscina.run(proofs[at], { name: 'prove' }));
    const proof =
      problems.length > 0 ? problems : ((await within(PROVE_MS, Promise.all(proving()))).flat() as Problem[]);
    if (proof.length > 0) {
      await retire();
      return proof;
    }
    return {
      control,
      signatures: readiness[0]!.count,
      wanted: () => each.length,
      ready: doors.count,
      onReady(callback) {
        hear = callback;
      },
      alive: () => each.reduce((sum, { threads }) => sum + threads.length, 0),
      work: doors.send,
      answer: () => Promise.any(each.map((piscina) => piscina.run(null, { name: 'ready' }))),
      end(thread) {
        const found = each.flatMap(({ threads }) => threads).find(({ threadId }) => threadId === thread);
        if (found !== undefined) void found.terminate();
        return found !== undefined;
      },
      async grow() {
        if (closing) return;
        add(settings.threads - each.length);
        await within(WARM_MS, all('ready'));
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
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24, stackSizeMb: 8 },
    workerData: {
      signatures,
      control,
      likeness: settings.likeness ?? false,
      ...(settings.faults === undefined ? {} : { faults: settings.faults }),
    },
  });
  // An `error` event without a listener would end the process. The crash is noticed by the closed door.
  piscina.on('error', () => {});
  return piscina;
}

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
