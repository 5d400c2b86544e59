/**
 * Watches the scanning threads. A thread that does not end a cancelled scan is terminated. When threads are missing or
 * no longer answer, the whole set is replaced.
 */
import type { Generation } from './generation.ts';
import { within } from './within.ts';

export interface Watched {
  /** Null while there is nothing to watch. */
  current(): Generation | null;
  killed(): void;
  /** Asks for a new set of threads. */
  replace(why: string): void;
}

export interface Watchdog {
  /** Terminates a stuck thread, if there is one. Called every few milliseconds. */
  look(now: number): void;
  stop(): void;
}

/**
 * At most one thread per interval is terminated: when all threads are merely slow, terminating them makes things worse.
 */
const KILL_EVERY_MS = 250;
const CANARY_EVERY_MS = 1000;
const CANARY_MISSES = 2;

export function createWatchdog(watched: Watched): Watchdog {
  let lastKill = 0;
  let misses = 0;
  let missing = 0;

  const canary = setInterval(() => {
    const generation = watched.current();
    if (generation === null) return;
    const { threads } = generation;
    missing = threads.alive() < threads.wanted() ? missing + 1 : 0;
    if (!generation.isBusy()) {
      within(CANARY_EVERY_MS, threads.answer()).then(
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
      watched.replace('threads do not answer');
    }
  }, CANARY_EVERY_MS);
  canary.unref();

  return {
    look(now) {
      if (now - lastKill < KILL_EVERY_MS) return;
      if (watched.current()?.endStuck(now) !== true) return;
      lastKill = now;
      watched.killed();
    },
    stop: () => clearInterval(canary),
  };
}
