import { CODE, GAP, KIND, NO_LOWER, NUMERIC, SIGN, SOLID, WORDY } from './runs-of-units.ts';
import { SCRATCH, USUAL } from './units.ts';

/**
 * The one look at every character: four at a time and without a branch, since a branch that cannot be foretold costs as
 * much as ten characters. What is told of four characters is little, and what anyone wants to know of a text begins there:
 * a run of sixteen, wherever it stands, holds three whole fours.
 */
export const FOUR = 4;
/** Where signs stand. */
export const SIGNS = new Uint16Array(USUAL + 1);
/** Which fours are worth a second look, and why. */
export const FOURS = new Uint16Array(USUAL / FOUR + 1);
export const WHY = new Uint16Array(USUAL / FOUR + 1);
export const counted = { signs: 0, fours: 0 };

/** The last of three fours in a row that are all of one kind, the first time. */
const LONG = CODE | NUMERIC | GAP;
/** The second of two fours in which no two letters stand side by side: one alone is too short to say anything. */
export const SPARSE = WORDY;
/** Behind a four that is one group of a code, with a blank on each side of it. */
export const GROUP = 1 << 14;

/** All that the loop uses by names of this module's own: what is imported or exported is fetched anew at each turn. */
const TEXT = SCRATCH;
const KINDS = KIND;
const PLACES = SIGNS;
const FOUND = FOURS;
const REASONS = WHY;
const IS_SIGN = SIGN;
const IS_CODE = CODE;
const IS_GAP = GAP;
const IS_SOLID = SOLID;
const IS_WORDY = WORDY;
const IS_LOUD = NO_LOWER;
const SIZE = FOUR;

/** Of what was looked at before, in a text that is longer than SCRATCH. */
let lastAll = 0;
let lastAllButOne = 0;
let lastLong = 0;
let lastSolid = 0;
let lastApart = 0;
let lastAny = 0;
let lastEnd = 0;
let lastEndButOne = 0;

export function startFours(): void {
  lastAll = lastAllButOne = lastLong = lastSolid = lastApart = lastAny = lastEnd = lastEndButOne = 0;
}

/** Looks at the first `size` characters of SCRATCH, rounded up to whole fours. */
export function lookAtFours(size: number): void {
  let signs = 0;
  let fours = 0;
  let allBefore = lastAll;
  let allBeforeThat = lastAllButOne;
  let longBefore = lastLong;
  let solidBefore = lastSolid;
  let apartBefore = lastApart;
  let anyBefore = lastAny;
  let endBefore = lastEnd;
  let endBeforeThat = lastEndButOne;
  for (let at = 0; at < size; at += SIZE) {
    const a = KINDS[TEXT[at] as number] as number;
    const b = KINDS[TEXT[at + 1] as number] as number;
    const c = KINDS[TEXT[at + 2] as number] as number;
    const d = KINDS[TEXT[at + 3] as number] as number;
    PLACES[signs] = at;
    signs += a & IS_SIGN;
    PLACES[signs] = at + 1;
    signs += b & IS_SIGN;
    PLACES[signs] = at + 2;
    signs += c & IS_SIGN;
    PLACES[signs] = at + 3;
    signs += d & IS_SIGN;
    const ab = a & b;
    const cd = c & d;
    const all = ab & cd;
    const long = all & allBefore & allBeforeThat;
    const solid = long & longBefore & IS_SOLID;
    const apart = ~(ab | (b & c) | cd) & IS_WORDY;
    // The bit above WORDY is the one of dashes and dots.
    const any = a | b | c | d;
    const isSparse = apart & apartBefore & (any | anyBefore | ((any | anyBefore) >> 1));
    // Brought from the bit of blanks to the one of codes, and from there to its own.
    const isGroup = ((a & endBeforeThat & IS_GAP) >> 12) & allBefore & IS_CODE;
    const why =
      (long & ~longBefore & LONG) | (solid & ~solidBefore) | (all & ~allBefore & IS_LOUD) | isSparse | (isGroup << 13);
    FOUND[fours] = at;
    REASONS[fours] = why;
    fours += why === 0 ? 0 : 1;
    allBeforeThat = allBefore;
    allBefore = all;
    longBefore = long;
    solidBefore = solid;
    apartBefore = apart;
    anyBefore = any;
    endBeforeThat = endBefore;
    endBefore = d;
  }
  lastAll = allBefore;
  lastAllButOne = allBeforeThat;
  lastLong = longBefore;
  lastSolid = solidBefore;
  lastApart = apartBefore;
  lastAny = anyBefore;
  lastEnd = endBefore;
  lastEndButOne = endBeforeThat;
  counted.signs = signs;
  counted.fours = fours;
}
