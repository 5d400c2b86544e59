import { codeOf, mistakeOf } from '../../domain/mistake.ts';
import type { Log } from '../../observe/log.ts';
import { isStorageAway } from './database.ts';

/** Work of the control plane that comes again and again, and what the log is told when it fails. */
export interface Timers {
  /** Work is not begun again before it has ended: a database that is slow is not asked twice. */
  every(ms: number, work: () => Promise<void>): void;
  stop(): void;
}

/**
 * A storage that is away is told once, and once more when it is back, however many timers notice. Any other error is a mistake
 * of ours: it is told with its place in the code, and told again only after the work was done in between.
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
