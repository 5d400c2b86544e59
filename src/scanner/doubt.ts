/**
 * Whether the threads can scan at all. Threads that start, answer and prove their signatures may still fail in every scan,
 * and a load balancer would keep an instance that refuses each of its calls.
 *
 * Failed scans alone say nothing: whoever finds a text that threads die of could send it to one instance after the other,
 * until none of them is ready. They only raise a doubt, and then harmless texts of our own decide. Nobody else has a hand
 * in those. Without a doubt none is scanned.
 */
import type { JobOutcome } from '../domain/batch.ts';
import type { OurResult } from './our-text.ts';

export interface Doubt {
  /** A scan has ended, ours or another. */
  ended(outcome: JobOutcome): void;
  /** Called every few milliseconds. */
  check(now: number): void;
  /** Why nothing can be scanned; `null` when it can. */
  failure(): string | null;
}

export interface DoubtActions {
  scanOurs(): Promise<OurResult>;
  /** `failure` has changed. */
  changed(failure: string | null): void;
}

/** So many scans have failed one after the other. */
const DOUBTFUL = 3;
/** So many of our own texts have. A thread can be ended while it has one, for what it did before. */
const CONVINCING = 3;
const TRY_EVERY_MS = 2000;
const CANNOT_SCAN = 'threads cannot scan';

export function createDoubt({ scanOurs, changed }: DoubtActions): Doubt {
  let failedInRow = 0;
  let ourFailures = 0;
  let failure: string | null = null;
  let isTrying = false;
  let nextTryAt = 0;

  function tell(next: string | null): void {
    if (next === failure) return;
    failure = next;
    changed(failure);
  }

  async function attempt(): Promise<void> {
    isTrying = true;
    const result = await scanOurs();
    isTrying = false;
    if (result !== 'failed') return;
    ourFailures += 1;
    if (ourFailures >= CONVINCING) tell(CANNOT_SCAN);
  }

  return {
    ended(outcome) {
      if (isScanned(outcome)) {
        if (failedInRow === 0) return;
        failedInRow = 0;
        ourFailures = 0;
        tell(null);
      } else if (isFault(outcome)) failedInRow += 1;
    },
    check(now) {
      if (failedInRow < DOUBTFUL || isTrying || now < nextTryAt) return;
      nextTryAt = now + TRY_EVERY_MS;
      void attempt();
    },
    failure: () => failure,
  };
}

function isScanned(outcome: JobOutcome): boolean {
  if (outcome.kind === 'checked') return outcome.outcomes.some(isScanned);
  return outcome.kind === 'report' || outcome.kind === 'step';
}

/** What no text should cause, though some may. */
function isFault(outcome: JobOutcome): boolean {
  switch (outcome.kind) {
    case 'checked':
      return outcome.outcomes.some(isFault);
    case 'timeout':
      return true;
    case 'error':
      return outcome.reason !== 'not-ready';
    case 'unreadable':
      return outcome.reason === 'scanner-crash' || outcome.reason === 'scan-budget';
    default:
      return false;
  }
}
