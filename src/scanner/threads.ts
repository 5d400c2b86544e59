/**
 * The one door to piscina. The library starts threads, replaces them, and runs on them what is asked once; everything else that
 * it offers - queues, limits, deadlines, closing - has failed in some way (docs/security.md), and is decided by us around it.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Problem, Signature } from '../domain/signature.ts';
import type { Waiting } from './batch.ts';
import { createControl } from './control.ts';
import { createDoors, type Greeting, type Hearer } from './doors.ts';
import { within } from './within.ts';

/** Threads with one ruleset, warm and proven. They are never mended: they are replaced by others. */
export interface Threads {
  readonly control: Int32Array;
  readonly signatures: number;
  readonly wanted: number;
  /** Of those wanted, the ones that can take work now. */
  ready(): number;
  /** Called when one more can. */
  onReady(hear: () => void): void;
  alive(): number;
  /** To one that is free: fewer batches are under way than threads are ready. */
  work(jobs: readonly Waiting[], hear: Hearer): void;
  /** Whether one of them still takes work at all. */
  answer(): Promise<unknown>;
  /** Ends one from outside, by its id; false when it has gone. */
  end(thread: number): boolean;
  close(): Promise<void>;
  /** The same of threads that have nothing in hand, while the process goes on: what they hold outside of V8 is given back first. */
  retire(): Promise<void>;
}

export interface ThreadSettings {
  readonly threads: number;
  /** Runs the statistical scanner beside the signatures; a folder of weights in place of the shipped ones. */
  readonly likeness?: boolean | string;
  /** Every example is asked, also of signatures that the build has proven: for those who ask whether they hold. */
  readonly proof?: 'whole';
  /** Tests and the bench make threads fail; absent in production. */
  readonly faults?: Readonly<Record<string, unknown>>;
}

/** What a thread says about itself: how many signatures it holds, or what is wrong with them. */
interface Readiness {
  readonly count: number;
  readonly problems: readonly Problem[];
}

const WORKER = fileURLToPath(new URL('../../workers/scan.js', import.meta.url));
/** Tasks that one pool can hold, waiting or in hand. */
export const SLOTS = 4096;
/**
 * Guards against threads that never come up, and no measure of a good start: a start takes one second of work, or three where
 * all is to be read and proven, and a machine that is shared with ten others takes ten times as long.
 */
const WARM_MS = 30_000;
const PROVE_MS = 60_000;
/** What leaves takes a tenth of a second; one that is stuck is not waited for. */
const LEAVE_MS = 2000;

/** The problems of the signatures, when they have any; throws when threads do not start. */
export async function startThreads(
  signatures: readonly Signature[],
  settings: ThreadSettings,
  crashed: () => void,
): Promise<Threads | readonly Problem[]> {
  const control = createControl(SLOTS);
  const piscina = new Piscina({
    filename: WORKER,
    minThreads: settings.threads,
    maxThreads: settings.threads,
    idleTimeout: Infinity,
    concurrentTasksPerWorker: 1,
    atomics: 'disabled',
    recordTiming: false,
    maxQueue: Infinity,
    // Without a bound of its own the young generation of newer V8s outgrows the old one, and running out then ends the
    // process instead of the thread.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 },
    workerData: {
      signatures,
      control,
      likeness: settings.likeness ?? false,
      ...(settings.faults === undefined ? {} : { faults: settings.faults }),
    },
  });
  let hear = (): void => {};
  let closing = false;
  // The library starts and replaces threads, and asks them for what is asked once. Scans take a shorter way.
  const doors = createDoors(
    () => hear(),
    () => {
      if (!closing) crashed();
    },
  );
  piscina.on('message', (greeting: Greeting) => doors.open(greeting));
  const close = (): Promise<void> => {
    closing = true;
    return piscina.destroy();
  };
  const retire = async (): Promise<void> => {
    if (closing) return;
    closing = true;
    await within(LEAVE_MS, Promise.all(leaving(piscina, settings.threads))).catch(() => {});
    await close();
  };
  // An unheard error ends the process. Its door tells us the same.
  piscina.on('error', () => {});
  try {
    const readiness = await within(WARM_MS, Promise.all(warm(piscina, settings.threads)));
    const problems = readiness.flatMap((one) => one.problems);
    const proof =
      problems.length > 0 ? problems : (await within(PROVE_MS, Promise.all(proving(piscina, settings)))).flat();
    if (proof.length > 0) {
      await retire();
      return proof;
    }
    return {
      control,
      signatures: readiness[0]!.count,
      wanted: settings.threads,
      ready: doors.count,
      onReady(callback) {
        hear = callback;
      },
      alive: () => piscina.threads.length,
      work: doors.send,
      answer: () => piscina.run(null, { name: 'ready' }),
      end(thread) {
        const found = piscina.threads.find(({ threadId }) => threadId === thread);
        if (found !== undefined) void found.terminate();
        return found !== undefined;
      },
      close,
      retire,
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** One `ready` per thread at once: with one task a thread, each thread takes one. */
function warm(piscina: Piscina, threads: number): Promise<Readiness>[] {
  return Array.from({ length: threads }, () => piscina.run(null, { name: 'ready' }) as Promise<Readiness>);
}

/** Each thread once, likewise. */
function leaving(piscina: Piscina, threads: number): Promise<unknown>[] {
  return Array.from({ length: threads }, () => piscina.run(null, { name: 'leave' }) as Promise<unknown>);
}

/** A part of the signatures for each thread, at once. */
function proving(piscina: Piscina, { threads, proof }: ThreadSettings): Promise<readonly Problem[]>[] {
  const whole = proof === 'whole';
  return Array.from({ length: threads }, (_, at) => {
    const task = { share: { of: threads, at }, whole };
    return piscina.run(task, { name: 'prove' }) as Promise<readonly Problem[]>;
  });
}

/** The one failure that every newcomer with a strict package manager meets, said with its cure. */
export function startFailure(error: unknown): string {
  const { message } = error as Error;
  if (/re2/.test(message) && /Cannot find module|not found/i.test(message)) {
    return 're2 is not built: allow its install script and run `npm rebuild re2`';
  }
  return message.slice(0, 200);
}
