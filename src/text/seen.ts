import type { Run } from './decoders/runs.ts';
import { CODE, KIND, NUMERIC, SIGN, SOLID, runsIn, sparseIn } from './runs-of-units.ts';
import { markSign } from './signs.ts';
import { isDigit, unitsOf } from './units.ts';
import { markWide, startWide } from './wide.ts';

/**
 * What one quick pass over a text tells about it, so that most decoders are ruled out without reading it again. Three
 * regular expressions would cost more than all of it.
 */
export interface Seen {
  /** What occurs, bits of MARK. */
  readonly marks: number;
  /** The text, for hints that look at a run; of the text that was seen last, and of no other. */
  readonly units: Uint16Array;
  readonly length: number;
  /** Sixteen or more characters of base64, which most other encodings are written in as well. */
  readonly codes: readonly Run[];
  /** As many printable characters without a blank. */
  readonly solids: readonly Run[];
  /** Digits, and what may part numbers from each other; never fewer than six digits. */
  readonly numeric: readonly Run[];
  /** No two letters side by side. */
  readonly sparse: readonly Run[];
}

const LEAST_CODE = 16;
const LEAST_NUMERIC = 17;
const LEAST_DIGITS = 6;
const LEAST_SPARSE = 8;

/** Positions of signs are gathered without a branch, some thousand at a time, and looked at afterwards. */
const BLOCK = 4096;
const SIGNS = new Uint32Array(BLOCK);
const UNITS = new Uint16Array(BLOCK);
const IS_SIGN = Uint8Array.from(KIND, (kind) => kind & SIGN);
const NONE: readonly Run[] = [];

export function seenIn(text: string): Seen {
  const units = unitsOf(text);
  const { length } = text;
  let marks = 0;
  let digits = 0;
  startWide();
  for (let from = 0; from < length; from += BLOCK) {
    const size = Math.min(BLOCK, length - from);
    UNITS.set(units.subarray(from, from + size));
    const count = gathered(size);
    for (let i = 0; i < count; i++) {
      const at = from + (SIGNS[i] as number);
      const unit = units[at] as number;
      if (isDigit(unit)) digits++;
      marks |= unit > 0x7f ? markWide(units, at, length) : markSign(units, at, length);
    }
  }
  const solids = runsIn(units, 0, length, SOLID, LEAST_CODE);
  const codes: Run[] = [];
  for (const { start, end } of solids) runsIn(units, start, end, CODE, LEAST_CODE, codes);
  return {
    marks,
    units,
    length,
    codes,
    solids,
    numeric: digits < LEAST_DIGITS ? NONE : numericIn(units, length),
    sparse: sparseIn(units, length, LEAST_SPARSE),
  };
}

/** Of arrays that never change place or size: with any other array it takes twice as long. */
function gathered(size: number): number {
  let count = 0;
  for (let i = 0; i < size; i++) {
    SIGNS[count] = i;
    count += IS_SIGN[UNITS[i] as number] as number;
  }
  return count;
}

function numericIn(units: Uint16Array, length: number): readonly Run[] {
  return runsIn(units, 0, length, NUMERIC, LEAST_NUMERIC).filter(({ start, end }) => {
    let digits = 0;
    for (let i = start; i < end && digits < LEAST_DIGITS; i++) if (isDigit(units[i] as number)) digits++;
    return digits >= LEAST_DIGITS;
  });
}
