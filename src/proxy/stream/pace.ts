/** How a scanned stream is sent on; scanned.ts says what each mode means for a frame. */
export type Mode = 'passthrough' | 'buffered' | 'full';

/**
 * How long frames are collected before a scan step takes them: `first` for the first step, then doubled with each step
 * up to `most`. A step has a fixed cost worth many frames, and a model produces about one word every 20 ms.
 * - `buffered` is some hundred words behind anyway, so it collects for as long as it takes to read one word.
 * - `passthrough` delays nothing but the detection: the first words are scanned soon, later ones in larger steps.
 * - `full` sends nothing before the end, so it needs no verdict earlier.
 */
const GATHER_MS = {
  passthrough: { first: 200, most: 2000 },
  buffered: { first: 250, most: 250 },
  full: { first: Infinity, most: Infinity },
} as const satisfies Record<Mode, { readonly first: number; readonly most: number }>;
/**
 * Limits the collected frames of a fast stream to fewer than would arrive in that time. On average half as many are
 * held.
 */
const GATHER_FRAMES = { passthrough: Infinity, buffered: 16, full: Infinity } as const satisfies Record<Mode, number>;
const GATHER_BYTES = 32_768;

export interface Pace {
  /** Whether these frames are enough to start a step at once. */
  isEnough(frames: number, bytes: number): boolean;
  /** How long fewer frames may wait for more. */
  waitMs(): number;
  onStep(): void;
}

export function createPace(mode: Mode): Pace {
  const { first, most } = GATHER_MS[mode];
  let ms: number = first;
  return {
    isEnough: (frames, bytes) => frames >= GATHER_FRAMES[mode] || bytes >= GATHER_BYTES,
    waitMs: () => ms,
    onStep() {
      ms = Math.min(2 * ms, most);
    },
  };
}
