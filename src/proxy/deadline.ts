/**
 * One clock for all exchanges. Each exchange is in one phase that must end in time; entering a phase is two assignments.
 * A timer per exchange and phase was refused: five phases a call, most of them over in microseconds, and a timer refreshed
 * by every frame of every stream, to catch what happens once in a million.
 */

import { createRoster, NOWHERE, type Placed } from '../domain/roster.ts';

export type Phase = 'queue' | 'connect' | 'first-byte' | 'idle' | 'stalled' | 'total';

export interface Deadline {
  enter(phase: Phase, ms: number): void;
  /** Nothing is being waited for: the scanner has its own deadlines. */
  rest(): void;
  done(): void;
}

export interface DeadlineClock {
  /** `overdue` is called once; the exchange decides what the phase means. */
  open(totalMs: number, overdue: (phase: Phase) => void): Deadline;
  close(): void;
}

export function createDeadlineClock(tickMs = 50): DeadlineClock {
  interface Entry extends Placed {
    phase: Phase;
    at: number;
    readonly end: number;
    readonly overdue: (phase: Phase) => void;
  }
  const entries = createRoster<Entry>();

  const timer = setInterval(() => {
    if (entries.size() === 0) return;
    const now = performance.now();
    entries.each((entry) => {
      if (now < entry.at && now < entry.end) return;
      entries.remove(entry);
      entry.overdue(now >= entry.end ? 'total' : entry.phase);
    });
  }, tickMs);
  timer.unref();

  return {
    open(totalMs, overdue) {
      const entry: Entry = {
        phase: 'queue',
        at: Infinity,
        end: totalMs > 0 ? performance.now() + totalMs : Infinity,
        overdue,
        place: NOWHERE,
      };
      entries.add(entry);
      return {
        enter(phase, ms) {
          entry.phase = phase;
          entry.at = ms > 0 ? performance.now() + ms : Infinity;
        },
        rest() {
          entry.at = Infinity;
        },
        done() {
          entries.remove(entry);
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
