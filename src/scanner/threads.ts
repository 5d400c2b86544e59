/**
 * The one door to piscina. The library starts threads, replaces them, and runs on them what is asked once; everything else that
 * it offers - queues, limits, deadlines, closing - has failed in some way (docs/security.md), and is decided by us around it.
 */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { matcherOf, type Matcher, type Problem, type Signature } from '../domain/signature.ts';
import type { Waiting } from './batch.ts';
import { createControl } from './control.ts';
import { createDoors, type Greeting, type Hearer } from './doors.ts';
import { proofsFor } from './proof.ts';
import { within } from './within.ts';

/** Threads with one ruleset, warm and proven. They are never mended: they are replaced by others. */
export interface Threads {
  readonly control: Int32Array;
  readonly signatures: number;
  /** How many there should be. */
  wanted(): number;
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
  /** Those that the settings ask for beyond the first; nothing where there are as many. */
  grow(): Promise<void>;
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

/** `first` of the threads; the problems of the signatures, when they have any; throws when threads do not start. */
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
  // The library starts and replaces threads, and asks them for what is asked once. Scans take a shorter way.
  const doors = createDoors(
    () => hear(),
    () => {
      if (!closing) crashed();
    },
  );
  /** One thread each: the library cannot be told to start more than it began with, nor which of several is asked. */
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
    // Without a bound of its own the young generation of newer V8s outgrows the old one, and running out then ends the
    // process instead of the thread. With more than this a thread holds twice as much and is no faster.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24, stackSizeMb: 8 },
    workerData: {
      signatures,
      control,
      likeness: settings.likeness ?? false,
      ...(settings.faults === undefined ? {} : { faults: settings.faults }),
    },
  });
  // An unheard error ends the process. Its door tells us the same.
  piscina.on('error', () => {});
  return piscina;
}

/** The one failure that every newcomer with a strict package manager meets, said with its cure. */
export function startFailure(error: unknown): string {
  const { message } = error as Error;
  if (/re2/.test(message) && /Cannot find module|not found/i.test(message)) {
    return 're2 is not built: allow its install script and run `npm rebuild re2`';
  }
  return message.slice(0, 200);
}
