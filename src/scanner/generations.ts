/**
 * The generations of threads, one after the other. The next one is started when the signatures or settings change, or when
 * the threads are broken, and takes the place of the one before as soon as it works.
 */
import type { Clock } from '../domain/clock.ts';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';
import { createGeneration, type Generation, type GenerationEvents } from './generation.ts';
import { roomForLargeBodies } from './memory-room.ts';
import type { Tuning } from './scanner.ts';
import { startFailure, startThreads, type ThreadSettings } from './threads.ts';
import { createWatchdog } from './watchdog.ts';
import { withTimeout } from './with-timeout.ts';

export type PoolSettings = ThreadSettings & Pick<Tuning, 'timeoutMs'>;

export interface PoolEvents {
  worker(event: 'crash' | 'killed' | 'replaced'): void;
  /** Tells of an error, unless another level is given. */
  log(message: string, reason: string, level?: 'error' | 'info'): void;
}

export interface GenerationsEvents extends GenerationEvents {
  /** New threads are in use, with these settings. */
  settled(settings: PoolSettings): void;
  /** How long the last task of this generation may take. */
  timeLeftIn(generation: Generation): number;
}

export interface Generations {
  /** Null until the first threads work. */
  current(): Generation | null;
  /** Why nothing can be scanned; `null` when it can. */
  failure(): string | null;
  /** Starts the first threads. If they do not start, that is tried again until they do, and this does not wait for it. */
  start(): Promise<readonly Problem[]>;
  /** If the signatures have problems, these are returned and nothing changes. */
  replace(signatures: readonly Signature[], tuning?: Tuning): Promise<readonly Problem[]>;
  /** Called every few milliseconds. */
  check(now: number): void;
  /** Ends all threads. `cancel` is called before, when no other threads can be started any more. */
  close(cancel: () => void): Promise<void>;
}

const RETIRE_AFTER_MS = 2000;
/**
 * The remaining new threads wait at most this long for the old ones to end, so that a stuck thread does not block them.
 */
const OLD_END_WITHIN_MS = 1000;

export function createGenerations(
  initialSignatures: readonly Signature[],
  initialSettings: PoolSettings,
  clock: Pick<Clock, 'now'>,
  ofTasks: GenerationsEvents,
  events: PoolEvents,
): Generations {
  let signatures = initialSignatures;
  let settings = initialSettings;
  let current: Generation | null = null;
  /** The current generation, and those before it until their threads have ended. */
  const inUse: Generation[] = [];
  let failure: string | null = 'warming';
  let closed = false;
  /** Pending while the second part of the new threads is being started after a change (see `startNext`). */
  let growing: Promise<void> = Promise.resolve();

  /**
   * Starts threads with these signatures and swaps them in, unless the signatures have problems. While the old threads
   * run, only half of the new ones are started, and the others once the old ones have ended. All of both at the same
   * time would need twice the memory for a moment, and a process with a tight memory limit would be killed.
   */
  async function startNext(next: readonly Signature[], newSettings: PoolSettings): Promise<readonly Problem[]> {
    await growing;
    const first = current === null ? newSettings.threads : Math.ceil(newSettings.threads / 2);
    const threads = await startThreads(next, newSettings, () => events.worker('crash'), first);
    if (!('send' in threads)) return threads;
    const built = createGeneration(threads, clock, ofTasks, roomForLargeBodies);
    if (closed) {
      await built.retire(0);
      return [];
    }
    signatures = next;
    swap(built, newSettings);
    return [];
  }

  function swap(next: Generation, newSettings: PoolSettings): void {
    const old = current;
    current = next;
    inUse.push(next);
    failure = null;
    // A long body has more time than `timeoutMs`.
    const oldEnded = old?.retire(ofTasks.timeLeftIn(old) + RETIRE_AFTER_MS).finally(() => {
      inUse.splice(inUse.indexOf(old), 1);
    });
    settings = newSettings;
    ofTasks.settled(newSettings);
    growing = withTimeout(OLD_END_WITHIN_MS, Promise.resolve(oldEnded))
      .catch(() => {})
      .then(next.threads.grow)
      .catch((error: unknown) => {
        if (!closed) events.log('scanner threads do not start', startFailure(error));
      });
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
        const problems = await inOrder(async () => (isReplaced() ? [] : startNext(signatures, settings)));
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

  const watchdog = createWatchdog({
    current: () => (closed ? null : current),
    endStuck: (now) => inUse.some((generation) => generation.endStuck(now)),
    killed: () => events.worker('killed'),
    replace: (why) => void rebuild(why),
  });

  return {
    current: () => current,
    failure: () => failure,
    async start() {
      try {
        const problems = await inOrder(() => startNext(initialSignatures, initialSettings));
        if (problems.length > 0) failure = 'signatures do not compile';
        return problems;
      } catch (error) {
        failure = 'threads do not start';
        void rebuild(startFailure(error));
        return [];
      }
    },
    replace: (next, tuning) =>
      inOrder(() => startNext(next, { ...settings, ...tuning })).catch((error: unknown) => {
        events.log('scanner threads do not start', startFailure(error));
        throw error;
      }),
    check(now) {
      for (const generation of inUse) generation.check(now);
      watchdog.check(now);
    },
    async close(cancel) {
      closed = true;
      watchdog.stop();
      cancel();
      await Promise.all(inUse.map(({ threads }) => threads.close()));
    },
  };
}
