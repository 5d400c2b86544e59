/**
 * Watches the scanning threads. A thread that does not end a cancelled scan is terminated. When threads are missing,
 * take no work, or no longer answer, the whole set is replaced.
 */
import type { Generation } from './generation.ts';
import { WARM_MS } from './threads.ts';
import { withTimeout } from './with-timeout.ts';

export interface WatchdogActions {
  /** Null while there is nothing to watch. */
  current(): Generation | null;
  /** Terminates one stuck thread of any generation; false when there is none. */
  endStuck(now: number): boolean;
  killed(): void;
  /** Asks for a new set of threads. */
  replace(why: string): void;
}

export interface Watchdog {
  /** Terminates a stuck thread, if there is one. Called every few milliseconds. */
  check(now: number): void;
  stop(): void;
}

/**
 * At most one thread per interval is terminated: when all threads are merely slow, terminating them makes things worse.
 */
const KILL_EVERY_MS = 250;
const PROBE_EVERY_MS = 1000;
const MAX_FAILED_PROBES = 2;
/** A thread that takes longer to start, after a crash say, has come back without its ruleset, or not at all. */
const MAX_UNREADY_PROBES = WARM_MS / PROBE_EVERY_MS;

export function createWatchdog(actions: WatchdogActions): Watchdog {
  let lastKill = 0;
  let unanswered = 0;
  let checksWithMissing = 0;
  let checksWithUnready = 0;

  const probe = setInterval(() => {
    const generation = actions.current();
    if (generation === null) return;
    const { threads } = generation;
    checksWithMissing = threads.alive() < threads.wanted() ? checksWithMissing + 1 : 0;
    checksWithUnready = threads.ready() < threads.wanted() ? checksWithUnready + 1 : 0;
    if (!generation.isBusy()) {
      const before = generation.batchesSent();
      withTimeout(PROBE_EVERY_MS, threads.ping()).then(
        () => {
          unanswered = 0;
        },
        () => {
          // A thread that was given a body meanwhile answers once it is done with that.
          if (generation.batchesSent() === before) unanswered += 1;
        },
      );
    }
    const isUnready = checksWithUnready >= MAX_UNREADY_PROBES;
    if (isUnready || unanswered >= MAX_FAILED_PROBES || checksWithMissing >= MAX_FAILED_PROBES) {
      unanswered = 0;
      checksWithMissing = 0;
      checksWithUnready = 0;
      actions.replace(isUnready ? 'a thread does not come back' : 'threads do not answer');
    }
  }, PROBE_EVERY_MS);
  probe.unref();

  return {
    check(now) {
      if (now - lastKill < KILL_EVERY_MS) return;
      if (!actions.endStuck(now)) return;
      lastKill = now;
      actions.killed();
    },
    stop: () => clearInterval(probe),
  };
}
