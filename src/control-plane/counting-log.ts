import type { Log } from '../observe/log.ts';
import type { Events } from './client-events.ts';

/** The same log, with each exchange counted on its way. */
export function countingLog(log: Log, events: Pick<Events, 'observe'>): Log {
  return {
    ...log,
    exchange(exchange, address, ms) {
      log.exchange(exchange, address, ms);
      events.observe(exchange);
    },
  };
}
