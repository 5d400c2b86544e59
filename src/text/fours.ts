import { kernelOf, STRIDE } from '../kernels.ts';
import type { Memory, Told } from '../kernels.ts';
import { KIND, WORDY } from './runs-of-units.ts';

/**
 * The one look at every character, four at a time: what is told of four characters is little, and what anyone wants to know of a
 * text begins there, for a run of sixteen, wherever it stands, holds three whole fours. It is kernel/fours.ts that looks.
 */

/** The second of two fours in which no two letters stand side by side: one alone is too short to say anything. */
export const SPARSE = WORDY;
/** Behind a four that is one group of a code, with a blank on each side of it. */
export const GROUP = 1 << 14;

interface Exports {
  readonly memory: Memory;
  readonly USUAL: Told;
  readonly UNITS: Told;
  readonly KINDS: Told;
  readonly SIGNS: Told;
  readonly FOURS: Told;
  readonly WHY: Told;
  readonly signs: Told;
  readonly fours: Told;
  readonly prepare: () => void;
  readonly start: () => void;
  readonly look: (size: number) => void;
}

const kernel = kernelOf<Exports>('fours')();
const column = ({ value }: Told, length: number): Uint16Array => new Uint16Array(kernel.memory.buffer, value, length);
const MOST = kernel.USUAL.value;
const UNITS = column(kernel.UNITS, MOST + STRIDE);
column(kernel.KINDS, KIND.length).set(KIND);
kernel.prepare();

/** Where signs stand. */
export const SIGNS = column(kernel.SIGNS, MOST + 1);
/**
 * Which fours are worth a second look, and why. CODE, NUMERIC, GAP: the third in a row that is all of it; SOLID: the fourth; NO_LOWER:
 * the first; and the two above.
 */
export const FOURS = column(kernel.FOURS, MOST / 4 + 1);
export const WHY = column(kernel.WHY, MOST / 4 + 1);
export const counted = { signs: 0, fours: 0 };

const BLANK = 0x20;

/** Before the first characters of a text. */
export const startFours = kernel.start;

/** Looks at the first so many; where a text goes on, they are a multiple of 64. */
export function lookAtFours(units: Uint16Array, size: number): void {
  UNITS.set(units.subarray(0, size));
  UNITS.fill(BLANK, size, size + STRIDE);
  kernel.look(size);
  counted.signs = kernel.signs.value;
  counted.fours = kernel.fours.value;
}
