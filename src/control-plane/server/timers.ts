import { codeOf, mistakeOf } from '../../domain/mistake.ts';
import type { Log } from '../../observe/log.ts';
import { isStorageAway } from './open-database.ts';

/** Runs the periodic work of the control plane, and logs when it fails. */
export interface Timers {
  /** Runs `work` at an interval, once at a time: a slow database must not be asked again before it has answered. */
  every(ms: number, work: () => Promise<void>): void;
  stop(): void;
}

/**
 * A storage outage is logged once, and once more when it is over, however many timers notice. Any other error is a bug: it is
 * logged with its place in the code, and again only after the work has succeeded in between.
 */
export function createTimers(log: Pick<Log, 'event'>): Timers {
  const timers: NodeJS.Timeout[] = [];
  let away = false;

  const storageAnswers = (): void => {
    if (away) log.event('info', 'the storage of the control plane is back');
    away = false;
  };
  const storageIsAway = (error: unknown): void => {
    if (!away) log.event('error', 'the storage of the control plane is away', { error_code: codeOf(error) });
    away = true;
  };

  return {
    every(ms, work) {
      let isBusy = false;
      let isBroken = false;
      const run = async (): Promise<void> => {
        if (isBusy) return;
        isBusy = true;
        try {
          await work();
          isBroken = false;
          storageAnswers();
        } catch (error) {
          if (isStorageAway(error)) storageIsAway(error);
          else if (!isBroken) {
            isBroken = true;
            log.event('error', 'work of the control plane failed', { ...mistakeOf(error) });
          }
        } finally {
          isBusy = false;
        }
      };
      timers.push(setInterval(() => void run(), ms));
    },
    stop: () => timers.forEach((timer) => clearInterval(timer)),
  };
}
