import { kernelOf, STRIDE } from '../kernels.ts';
import type { Memory, KernelGlobal } from '../kernels.ts';
import { KIND, WORDY } from './runs-of-units.ts';

/**
 * The one pass over every character of a text, four at a time. It keeps little of each four, but every other check
 * starts from there: a run of sixteen characters, wherever it begins, holds three whole fours. The loop itself is
 * kernel/fours.ts.
 */

/** Set on the second of two consecutive fours without two adjacent letters: one alone is too short to tell anything. */
export const SPARSE = WORDY;
/** Set after a four that is one group of a code, with a blank on each side of it. */
export const GROUP = 1 << 14;

interface Exports {
  readonly memory: Memory;
  readonly USUAL: KernelGlobal;
  readonly UNITS: KernelGlobal;
  readonly KINDS: KernelGlobal;
  readonly SIGNS: KernelGlobal;
  readonly FOURS: KernelGlobal;
  readonly WHY: KernelGlobal;
  readonly signs: KernelGlobal;
  readonly fours: KernelGlobal;
  readonly prepare: () => void;
  readonly start: () => void;
  readonly look: (size: number) => void;
}

const kernel = kernelOf<Exports>('fours')();
const column = ({ value }: KernelGlobal, length: number): Uint16Array =>
  new Uint16Array(kernel.memory.buffer, value, length);
const MOST = kernel.USUAL.value;
const UNITS = column(kernel.UNITS, MOST + STRIDE);
column(kernel.KINDS, KIND.length).set(KIND);
kernel.prepare();

/** Positions of the symbols found. */
export const SIGNS = column(kernel.SIGNS, MOST + 1);
/**
 * FOURS: positions of the fours worth a second look; WHY: the reasons. CODE, NUMERIC, GAP: the third in a row that
 * consists of such characters; SOLID: the fourth; NO_LOWER: the first; and SPARSE and GROUP, see above.
 */
export const FOURS = column(kernel.FOURS, MOST / 4 + 1);
export const WHY = column(kernel.WHY, MOST / 4 + 1);
export const counted = { signs: 0, fours: 0 };

const BLANK = 0x20;

/** To be called before the first characters of a text. */
export const startFours = kernel.start;

/** Scans the first `size` units. Except at the end of a text, `size` must be a multiple of 64. */
export function lookAtFours(units: Uint16Array, size: number): void {
  UNITS.set(units.subarray(0, size));
  UNITS.fill(BLANK, size, size + STRIDE);
  kernel.look(size);
  counted.signs = kernel.signs.value;
  counted.fours = kernel.fours.value;
}
