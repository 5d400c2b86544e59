import type { Log } from '../observe/log.ts';
import type { Events } from './client-events.ts';

/** Wraps a log so that each logged exchange is counted as well. */
export function countingLog(log: Log, events: Pick<Events, 'observe'>): Log {
  return {
    ...log,
    exchange(exchange, address, ms) {
      log.exchange(exchange, address, ms);
      events.observe(exchange);
    },
  };
}
