/** Fault injection: tests make threads crash, hang or run out of memory. Switched off unless a test asks for it. */

export interface Faults {
  /** 0..1: the share of scans that fail in this way. */
  readonly crash?: number;
  readonly hang?: number;
  readonly memory?: number;
  readonly throw?: number;
  /**
   * If given, only the scans with these numbers can fail, counted from 1 over all threads. Makes a test deterministic.
   */
  readonly at?: readonly number[];
  /** Milliseconds that every scan takes longer. */
  readonly slow?: number;
  /** The thread does not survive its own start, or does not while this is 0. */
  readonly start?: boolean | Int32Array;
}

export function faultFor(faults: Faults, count: () => number): (at: 'start' | 'scan') => void {
  return (at) => {
    if (at === 'start') {
      if (typeof faults.start === 'object' ? Atomics.load(faults.start, 0) === 0 : faults.start === true)
        process.exit(3);
      return;
    }
    if (faults.at === undefined || faults.at.includes(count())) fail(faults);
    if (faults.slow !== undefined) busy(faults.slow);
  };
}

function fail({ crash, throw: thrown, memory, hang }: Faults): void {
  if (happens(crash)) process.exit(3);
  if (happens(thrown)) throw new Error('a fault that was asked for');
  if (happens(memory)) exhaustMemory();
  if (happens(hang)) busy(Infinity);
}

function happens(share = 0): boolean {
  return share > 0 && Math.random() < share;
}

/** Blocks the thread as native code does: it does not return to the event loop and reads no message. */
function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function exhaustMemory(): never {
  const held: unknown[] = [];
  for (;;) held.push(Array.from({ length: 100_000 }, () => ({})));
}
