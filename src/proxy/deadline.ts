/**
 * Timeouts of calls to upstreams, with one timer for all exchanges. Each exchange is in one phase (`connect`,
 * `idle`...) with a deadline; entering a phase costs two assignments. One timer per exchange and phase was rejected: a
 * call has five phases, most of them last microseconds, and every frame of every stream would refresh a timer, for a
 * timeout that occurs once in a million calls.
 */

import { createClock } from '../domain/clock.ts';
import { createRoster, NOT_IN_ROSTER, type RosterMember } from '../domain/roster.ts';

export type Phase = 'queue' | 'connect' | 'first-byte' | 'idle' | 'stalled' | 'total';

export interface Deadline {
  enter(phase: Phase, ms: number): void;
  /**
   * Suspends the phase deadline while nothing of the upstream or client is awaited. The scanner has its own deadlines.
   */
  suspend(): void;
  done(): void;
}

export interface DeadlineClock {
  /** `onOverdue` is called at most once, with the phase that took too long. A `totalMs` of 0 means no total limit. */
  open(totalMs: number, onOverdue: (phase: Phase) => void): Deadline;
  close(): void;
}

export function createDeadlineClock(tickMs = 50): DeadlineClock {
  interface Entry extends RosterMember {
    phase: Phase;
    phaseEndsAt: number;
    readonly totalEndsAt: number;
    readonly onOverdue: (phase: Phase) => void;
  }
  const entries = createRoster<Entry>();

  /** Without the stalls of the main thread, in which an upstream may have answered long ago. */
  const clock = createClock(tickMs);
  // Not in the timer itself: timers run before the answers that have arrived meanwhile.
  const timer = setInterval(() => setImmediate(check), tickMs);
  timer.unref();

  function check(): void {
    clock.tick();
    const now = clock.now();
    entries.each((entry) => {
      if (now < entry.phaseEndsAt && now < entry.totalEndsAt) return;
      entries.remove(entry);
      entry.onOverdue(now >= entry.totalEndsAt ? 'total' : entry.phase);
    });
  }

  return {
    open(totalMs, onOverdue) {
      const entry: Entry = {
        phase: 'queue',
        phaseEndsAt: Infinity,
        totalEndsAt: totalMs > 0 ? clock.now() + totalMs : Infinity,
        onOverdue,
        index: NOT_IN_ROSTER,
      };
      entries.add(entry);
      return {
        enter(phase, ms) {
          entry.phase = phase;
          entry.phaseEndsAt = ms > 0 ? clock.now() + ms : Infinity;
        },
        suspend() {
          entry.phaseEndsAt = Infinity;
        },
        done() {
          entries.remove(entry);
        },
      };
    },
    close: () => clearInterval(timer),
  };
}
