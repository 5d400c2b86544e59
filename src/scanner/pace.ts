/**
 * How much a thread reads in a moment, going by what it read lately. A history that is known goes at fifty times the pace of text
 * that is new; handed over by itself, it costs a quarter more than six of them together, most of it for waking the thread.
 */
export interface Pace {
  /** No time at all took what was given up before it began. */
  measured(bytes: number, ms: number): void;
  /** What should be read within a moment: the first of a batch waits for the last. */
  bytes(): number;
}

const MOMENT_MS = 2;
const LEAST_BATCH = 32_768;
/** Six histories of two hundred messages. What is slow all the same holds up no more than those few. */
const MOST_BATCH = 524_288;
/** Of what is shorter, hardly anything can be known. */
const TELLING_BYTES = 8192;

export function createPace(): Pace {
  let msPerByte = Infinity;
  return {
    measured(bytes, ms) {
      if (bytes < TELLING_BYTES || ms === 0) return;
      const latest = ms / bytes;
      // Slow is believed at once, and fast by and by.
      msPerByte = msPerByte === Infinity ? latest : Math.max(latest, 0.7 * msPerByte + 0.3 * latest);
    },
    bytes: () => Math.min(MOST_BATCH, Math.max(LEAST_BATCH, MOMENT_MS / msPerByte)),
  };
}
