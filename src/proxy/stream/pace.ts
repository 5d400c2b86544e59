import type { Mode } from './scanned.ts';

/**
 * How long frames gather before a step takes them, at first and at most; each time twice as long as the last. A step costs what
 * many frames do, and a model says a word every 20 ms. So `buffered`, which began some hundred words late, gathers for as long as
 * it takes to read one of them. What passes at once waits for nobody: there the first words are judged soon, and the later ones
 * with more of their kind. What is held to its end needs no verdict before it.
 */
const GATHER_MS = {
  passthrough: { first: 200, most: 2000 },
  buffered: { first: 250, most: 250 },
  full: { first: Infinity, most: Infinity },
} as const satisfies Record<Mode, { readonly first: number; readonly most: number }>;
/** Of a fast stream fewer words wait than would gather in that time: half of these are what is held back as a rule. */
const GATHER_FRAMES = { passthrough: Infinity, buffered: 16, full: Infinity } as const satisfies Record<Mode, number>;
const GATHER_BYTES = 32_768;

export interface Pace {
  /** Whether so much is enough for a step. */
  isEnough(frames: number, bytes: number): boolean;
  /** How long less than that may wait. */
  waitMs(): number;
  stepped(): void;
}

export function createPace(mode: Mode): Pace {
  const { first, most } = GATHER_MS[mode];
  let ms: number = first;
  return {
    isEnough: (frames, bytes) => frames >= GATHER_FRAMES[mode] || bytes >= GATHER_BYTES,
    waitMs: () => ms,
    stepped() {
      ms = Math.min(2 * ms, most);
    },
  };
}
