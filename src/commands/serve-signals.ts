import { mistakeOf } from '../domain/mistake.ts';
import type { Service } from '../service.ts';
import { EXIT } from './command.ts';

/** What signals do to a proxy that starts, and to one that runs. SIGHUP to a running one is for serve-reload.ts. */

/**
 * Handles signals during startup. There is nothing to drain yet, so SIGTERM and SIGINT end the process at once.
 * SIGHUP, which asks for a reload, is remembered. Without handlers, SIGHUP would end the process, and as PID 1 of a
 * container the process would not even react to SIGTERM.
 *
 * Returns a function that removes these handlers and tells whether a SIGHUP arrived.
 */
export function listenWhileStarting(): () => boolean {
  let hungUp = false;
  const stop = (): void => process.exit(EXIT.ok);
  const onHangup = (): void => {
    hungUp = true;
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', onHangup);
  return () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    process.off('SIGHUP', onHangup);
    return hungUp;
  };
}

/** Resolves with the exit code once the drain is over. A second signal ends the process at once. */
export function untilSignal(service: Service): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (signal: string, code: number): void => {
      if (stopping) {
        service.log.event('warn', 'stopping at once', { signal });
        process.exit(code === 0 ? 1 : code);
      }
      stopping = true;
      service.log.event('info', 'draining', { signal, in_flight: service.inFlight() });
      void service.drain().then(({ cut }) => {
        service.log.event('info', 'stopped', { count: cut });
        resolve(code);
      });
    };
    process.on('SIGTERM', () => stop('SIGTERM', 0));
    process.on('SIGINT', () => stop('SIGINT', 0));
    // An invariant is broken: calls in progress may finish, but the process must not take new ones.
    const broken = (error: unknown): void => {
      service.log.event('fatal', 'unexpected error, draining', mistakeOf(error));
      stop('exception', 1);
    };
    process.on('uncaughtException', broken);
    process.on('unhandledRejection', broken);
  });
}
