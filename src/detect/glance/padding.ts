import { KIND, PAD, runsIn } from '../../text/runs-of-units.ts';
import { unitsOf } from '../../text/units.ts';

/**
 * Words may be driven apart by a few blanks or by thousands, of dashes as well. To a model they still stand side by
 * side, but here they would fall into different slices, out of each other's reach, or too far apart for a rule that
 * counts characters. So the first look measures distances without padding, and what it saw is confirmed once more in
 * the text with the padding collapsed.
 */
export interface Padding {
  readonly runs: Runs;
  /** Some run is longer than indentation mostly is: the words behind it are hidden. */
  readonly isLong: boolean;
  /** Where an offset of the text would be with the padding collapsed, and the other way round. */
  readonly closed: (at: number) => number;
  readonly opened: (at: number) => number;
  /** Does what `closed` does to the first `count` of some offsets, which ascend. */
  readonly close: (offsets: Int32Array, count: number) => void;
}

/**
 * For each run where it starts, where it ends, and where it would end with all runs up to it collapsed. Plain numbers,
 * one after the other: code has a run in each of its lines, and an object for each would cost more than finding it.
 */
export type Runs = number[];
export const START = 0;
export const END = 1;
const CLOSED_END = 2;
export const OF_A_RUN = 3;

/** So many blanks, or the same mark so many times, are filler. Between two words of one line, nobody needs them. */
const FILLER = 3;
/** From this length on, a run is padding whatever it is made of. */
const LONG = 16;
/**
 * Line ends with indentation and the quotes of code are not filler, and what they separate stands apart. But where one
 * of at least LINK marks follows another after a word or two, again and again, they drive the words of a sentence
 * apart. Shorter ones are part of a word, as in `https://`.
 */
const CHAIN = 3;
const LINK = 4;
const APART = 16;

/**
 * `units` are those of the text, and `thirds` says where each run of at least three characters between words has its
 * third one: the first look finds them on its way. Null when there is no padding.
 */
export function paddingIn(units: Uint16Array, length: number, thirds: Int32Array, count: number): Padding | null {
  const runs: Runs = [];
  /** Where the present chain begins in `runs`, how many links it has, and where the last of them ended. */
  let chain = 0;
  let links = 0;
  let lastEnd = -APART - 1;
  let isLong = false;
  for (let i = 0; i < count; i += 1) {
    const third = thirds[i]!;
    const from = third - (FILLER - 1);
    let end = third + 1;
    while (end < length && (KIND[units[end]!]! & PAD) !== 0) end += 1;
    if (end - from < LINK) {
      const isSame = areAlike(units[from]!, units[from + 1]!) && areAlike(units[from + 1]!, units[from + 2]!);
      if (isSame && isFiller(units, from, end)) runs.push(from, end, 0);
      continue;
    }
    if (from - lastEnd > APART) {
      if (links < CHAIN) keepFiller(units, runs, chain);
      chain = runs.length;
      links = 0;
    }
    links += 1;
    lastEnd = end;
    if (end - from >= LONG) isLong = true;
    runs.push(from, end, 0);
  }
  if (links < CHAIN) keepFiller(units, runs, chain);
  if (runs.length === 0) return null;
  setClosedEnds(units, runs);
  const moved = (at: number, from: number, to: number): number => {
    const last = lastUpTo(runs, from, at);
    return last < 0 ? at : at - runs[last + from]! + runs[last + to]!;
  };
  return {
    runs,
    isLong,
    closed: (at) => moved(at, END, CLOSED_END),
    opened: (at) => moved(at, CLOSED_END, END),
    close(offsets, count) {
      let next = 0;
      let removed = 0;
      for (let i = 0; i < count; i += 1) {
        const at = offsets[i]!;
        for (; next < runs.length && runs[next + END]! <= at; next += OF_A_RUN)
          removed = runs[next + END]! - runs[next + CLOSED_END]!;
        offsets[i] = at - removed;
      }
    },
  };
}

/** The same for a text that was looked at only as a part of another. */
export function paddingOf(text: string): Padding | null {
  const units = unitsOf(text);
  const thirds = runsIn(units, 0, text.length, PAD, FILLER).map(({ start }) => start + FILLER - 1);
  return paddingIn(units, text.length, Int32Array.from(thirds), thirds.length);
}

/** Of the runs from `from` on, which are no chain, only filler is left. */
function keepFiller(units: Uint16Array, runs: Runs, from: number): void {
  let kept = from;
  for (let i = from; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    if (end - start < LONG && !isFiller(units, start, end)) continue;
    runs[kept + START] = start;
    runs[kept + END] = end;
    kept += OF_A_RUN;
  }
  runs.length = kept;
}

function isFiller(units: Uint16Array, start: number, end: number): boolean {
  let isMet = false;
  let same = 0;
  for (let i = start; i < end; i += 1) {
    const unit = units[i]!;
    if (unit === LINE_END) return false;
    const before = i === start ? -1 : units[i - 1]!;
    same = areAlike(unit, before) ? same + 1 : 1;
    if (same >= FILLER) isMet = true;
  }
  return isMet;
}

function areAlike(unit: number, before: number): boolean {
  return unit === before || (isGap(unit) && isGap(before));
}

function setClosedEnds(units: Uint16Array, runs: Runs): void {
  let removed = 0;
  for (let i = 0; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    removed += end - start - 1;
    if (isMark(units[start]!, units[start + 1]!)) removed -= 1;
    if (isMark(units[end - 1]!, units[end - 2]!)) removed -= 1;
    runs[i + CLOSED_END] = end - removed;
  }
}

/**
 * Whether the first or the last character of a run belongs to the word beside it, as in `system:` or `[SYSTEM]`. It is
 * kept, since patterns may ask for it. Padding goes on as it begins.
 */
export function isMark(unit: number, next: number): boolean {
  return unit !== next && !isGap(unit);
}

const LINE_END = 0x0a;

function isGap(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === LINE_END || unit === 0x0d;
}

/** The last run whose end, in the text or in the collapsed one, is not above `most`; negative when all are. */
function lastUpTo(runs: Runs, end: number, most: number): number {
  let low = -1;
  let high = runs.length / OF_A_RUN;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (runs[middle * OF_A_RUN + end]! <= most) low = middle;
    else high = middle;
  }
  return low * OF_A_RUN;
}
