import type { Run } from '../text/decoders/runs.ts';
import { KIND, PAD, runsIn } from '../text/runs-of-units.ts';
import { unitsOf } from '../text/units.ts';
import type { Ranges, Sightings } from './glance.ts';
import type { Sight } from './waiting.ts';

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
type Runs = number[];
const START = 0;
const END = 1;
const CLOSED_END = 2;
const OF_A_RUN = 3;

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
function isMark(unit: number, next: number): boolean {
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

export interface Unpadded {
  /** The text with its padding collapsed, and what was seen in that. */
  readonly text: string;
  readonly sightings: Sightings;
  /** What was seen in the text as it stands, without the middle of long padding. */
  readonly asItStands: Sightings;
  /** Whether the padding is long enough to hide something. */
  readonly isLong: boolean;
}

/**
 * Null where no padding is in what was seen. A sender may put megabytes between two words that a hundred rules wait
 * for. So in the text as it stands, ranges reach only a little into long padding; across it, the collapsed text is
 * asked about.
 */
export function withoutPadding(text: string, padding: Padding, sightings: Sightings): Unpadded | null {
  const closed = new Map<Sight, Ranges>();
  const asItStands = new Map<Sight, Ranges>();
  const long = longIn(padding.runs);
  for (const [sight, ranges] of sightings) {
    const moved: (readonly [number, number])[] = [];
    for (const [from, to] of ranges) {
      const start = padding.closed(from);
      const end = padding.closed(to);
      // Without padding in it, a range reads the same in both texts.
      if (end - start === to - from) continue;
      // What a secret looks like is told by its marks, and short runs of them are a part of it.
      if (sight.rule.isProven && !padding.isLong) continue;
      moved.push([start, end]);
    }
    if (moved.length > 0) closed.set(sight, moved);
    asItStands.set(sight, long.length === 0 ? ranges : cutAt(long, ranges));
  }
  if (closed.size === 0) return null;
  return { text: closedAt(padding.runs, text), sightings: closed, asItStands, isLong: padding.isLong };
}

/** Characters kept at either end of long padding: more punctuation in a row than any pattern has. */
const AROUND = 96;

function longIn(runs: Runs): Run[] {
  const long: Run[] = [];
  for (let i = 0; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    if (end - start > 2 * AROUND) long.push({ start, end });
  }
  return long;
}

function cutAt(long: readonly Run[], ranges: Ranges): Ranges {
  const kept: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    let at = from;
    while (next < long.length && long[next]!.end <= from) next += 1;
    for (let i = next; i < long.length && long[i]!.start < to; i += 1) {
      const { start, end } = long[i]!;
      if (start + AROUND > at) kept.push([at, Math.min(to, start + AROUND)]);
      at = Math.max(at, end - AROUND);
    }
    if (at < to) kept.push([at, to]);
  }
  return kept;
}

/**
 * A loop, since a regular expression keeps a way back for every blank of a run, and megabytes of blanks overflow its
 * stack.
 */
function closedAt(runs: Runs, text: string): string {
  let closed = '';
  let kept = 0;
  for (let i = 0; i < runs.length; i += OF_A_RUN) {
    const start = runs[i + START]!;
    const end = runs[i + END]!;
    const isMarkAt = (at: number, next: number): boolean => isMark(text.charCodeAt(at), text.charCodeAt(next));
    const before = isMarkAt(start, start + 1) ? start + 1 : start;
    closed += `${text.slice(kept, before)} `;
    kept = isMarkAt(end - 1, end - 2) ? end - 1 : end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
