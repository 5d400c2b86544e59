import { withMeaning } from './beside.ts';
import type { Run } from './decoders/runs.ts';
import { FOURS, GROUP, SIGNS, SPARSE, WHY, counted, lookAtFours, startFours } from './fours.ts';
import { codeOf, isMixedCode } from './codes.ts';
import type { Code } from './codes.ts';
import { groupsAt } from './cut-codes.ts';
import { CODE, GAP, NO_LOWER, NUMERIC, SOLID, isSparse, runAround, sparseAt } from './runs-of-units.ts';
import { MARK } from './marks.ts';
import { markSign } from './signs.ts';
import { SCRATCH, USUAL, isDigit, unitsOf } from './units.ts';
import { markWide, startWide } from './wide.ts';
import { areOfRows, hasShortLines } from './rows.ts';
import { startPieces } from './rows-of-pieces.ts';
import { startLeet } from './words-at.ts';

/**
 * What one quick pass over a text tells about it. Most decoders are ruled out by this without reading the text again.
 * Three regular expressions would cost more than the whole pass.
 */
export interface Seen {
  /** What occurs in the text, as bits of MARK. */
  readonly marks: number;
  /**
   * The text as code units, for hints that look at a run. Valid only until the next text is scanned: the array is
   * reused.
   */
  readonly units: Uint16Array;
  readonly length: number;
  /** Runs of 16 or more base64 characters, in which most other encodings are written as well. */
  readonly codes: readonly Code[];
  /** Those of the codes in which capitals, lowercase letters and digits alternate, as in base64. */
  readonly mixed: readonly Run[];
  /** Runs of 20 or more printable characters without a blank. */
  readonly solids: readonly Run[];
  /** Runs of eight or more characters without a blank or a lowercase letter. */
  readonly loud: readonly Run[];
  /** Runs of digits and of what may separate numbers, with at least six digits. */
  readonly numeric: readonly Run[];
  /** Stretches without two adjacent letters. */
  readonly sparse: readonly Run[];
  /** Whether symbols or line ends are as close together as in rows of a list or a log. */
  readonly rows: boolean;
}

const LEAST_CODE = 16;
const LEAST_SOLID = 20;
const LEAST_LOUD = 8;
const LEAST_NUMERIC = 17;
const LEAST_GAP = 16;
const LEAST_DIGITS = 6;

interface Gathered extends Seen {
  marks: number;
  readonly codes: Code[];
  readonly mixed: Run[];
  readonly solids: Run[];
  readonly loud: Run[];
  readonly numeric: Run[];
  readonly sparse: Run[];
  rows: boolean;
  /** Where the last sparse stretch ended. A text may be full of them, so each is looked at only once. */
  sparseEnd: number;
  /** The same for groups. */
  groupsEnd: number;
}

export function seenIn(text: string): Seen {
  const units = unitsOf(text);
  const { length } = text;
  const found: Gathered = {
    marks: 0,
    units,
    length,
    codes: [],
    mixed: [],
    solids: [],
    loud: [],
    numeric: [],
    sparse: [],
    rows: hasShortLines(text),
    sparseEnd: 0,
    groupsEnd: 0,
  };
  let marks = 0;
  startFours();
  startWide();
  startLeet();
  startPieces();
  for (let from = 0; from < length; from += USUAL) {
    const size = Math.min(USUAL, length - from);
    if (length > USUAL) SCRATCH.set(units.subarray(from, from + size));
    lookAtFours(SCRATCH, size);
    const isFirst = from === 0;
    const isLast = from + size === length;
    found.rows ||= areOfRows(SIGNS, counted.signs, size, isFirst, isLast);
    const signs = withMeaning(counted.signs, size, isFirst, isLast);
    for (let i = 0; i < signs; i++) {
      const at = from + (SIGNS[i] as number);
      const mark = (units[at] as number) > 0x7f ? markWide(units, at, length) : markSign(units, at, length);
      // The second value in a text sets a mark of its own, next to that of the first.
      marks |= mark | ((mark & marks & MARK.value) << 1);
    }
    for (let i = 0; i < counted.fours; i++) note(found, from + (FOURS[i] as number), WHY[i] as number);
  }
  found.marks |= marks;
  last = { text, marks: found.marks };
  return found;
}

const NOTHING = { text: '', marks: 0 };
/** The text that was looked at last, which is often asked about once more. */
let last = NOTHING;

/** The marks of a text, which are those that `seenIn` tells. */
export function marksIn(text: string): number {
  return text === last.text ? last.marks : seenIn(text).marks;
}

/** Lets go of the last text, which may be of megabytes. */
export function forgetSeen(): void {
  last = NOTHING;
}

/**
 * Finds the run around a four that is worth a second look. Over all fours, runs are found in order, and each run once.
 */
function note(found: Gathered, at: number, why: number): void {
  const { units, length } = found;
  if ((why & CODE) !== 0) {
    const { start, end } = runAround(units, at, length, CODE);
    if (end - start >= LEAST_CODE) {
      const code = codeOf(units, start, end);
      found.codes.push(code);
      if (isMixedCode(units, code)) found.mixed.push(code);
    }
  }
  if ((why & SOLID) !== 0) {
    const run = runAround(units, at, length, SOLID);
    if (run.end - run.start >= LEAST_SOLID) found.solids.push(run);
  }
  if ((why & NO_LOWER) !== 0) {
    const run = runAround(units, at, length, NO_LOWER);
    if (run.end - run.start >= LEAST_LOUD) found.loud.push(run);
  }
  if ((why & NUMERIC) !== 0) {
    const run = runAround(units, at, length, NUMERIC);
    if (run.end - run.start >= LEAST_NUMERIC && holdsDigits(units, run)) found.numeric.push(run);
  }
  if ((why & SPARSE) !== 0 && at >= found.sparseEnd) {
    const run = sparseAt(units, at, length);
    found.sparseEnd = run.end;
    if (isSparse(units, run)) found.sparse.push(run);
  }
  if ((why & GROUP) !== 0 && at >= found.groupsEnd) {
    const groups = groupsAt(units, at, length);
    found.groupsEnd = groups.end;
    if (groups.isCode) found.marks |= MARK.groups;
  }
  if ((why & GAP) !== 0 && (found.marks & MARK.blanks) === 0 && isLong(runAround(units, at, length, GAP)))
    found.marks |= MARK.blanks;
}

function isLong({ start, end }: Run): boolean {
  return end - start >= LEAST_GAP;
}

function holdsDigits(units: Uint16Array, { start, end }: Run): boolean {
  let digits = 0;
  for (let i = start; i < end && digits < LEAST_DIGITS; i++) if (isDigit(units[i] as number)) digits++;
  return digits >= LEAST_DIGITS;
}
