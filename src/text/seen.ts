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
  readonly codes: readonly Code[];
  /** Those of them whose capitals, small letters and digits take turns, as in base64. */
  readonly mixed: readonly Run[];
  /** As many printable characters without a blank. */
  readonly solids: readonly Run[];
  /** Eight or more without a blank or a small letter. */
  readonly loud: readonly Run[];
  /** Digits, and what may part numbers from each other; never fewer than six digits. */
  readonly numeric: readonly Run[];
  /** No two letters side by side. */
  readonly sparse: readonly Run[];
  /** Signs or line ends so close together as rows of a list or of a log have them. */
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
  /** Up to where the last one was looked at, which a text may be full of. */
  sparseEnd: number;
  /** The same of groups. */
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
      // The second value of a text is its own mark, next to that of the first.
      marks |= mark | ((mark & marks & MARK.value) << 1);
    }
    for (let i = 0; i < counted.fours; i++) note(found, from + (FOURS[i] as number), WHY[i] as number);
  }
  found.marks |= marks;
  return found;
}

/** Finds the run around each four that is worth it; together they are found in their order, and each once. */
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
