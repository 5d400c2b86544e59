import { SORT, ACCENTED, LETTER } from './sorts.ts';
import { isAsciiLetter, isBlank, isDigit } from './units.ts';

/**
 * The words of a text, and which of them belong to a frame: the frame of rows that are alike but for a field or two is numbers and
 * the words that come back from row to row.
 */

/** Words of one frame come back within so many: records of issues and pages have a hundred names in each. */
const ROW = 160;
/** Longer ones are no words, and wider gaps do not stand within a field. */
const LONGEST_WORD = 64;
const WIDEST_GAP = 8;

/** As many are looked at together: what is remembered has a bound. */
export const MOST = 8192;

export const BLANK = 0;
export const WORD = 1;
const DIGIT = 2;
const OF_WORDS = WORD | DIGIT;
/** What parts and joins the words of a sentence. */
const POINT = 4;
const SIGN = 8;

const COMMA = 0x2c;
const LINE_END = 0x0a;

export const CLASS = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(65_536).fill(SIGN);
  for (let unit = 0; unit < table.length; unit++) {
    const isLetter =
      unit < 0x80 ? isAsciiLetter(unit) || unit === 0x5f : SORT[unit] === LETTER || SORT[unit] === ACCENTED;
    if (isLetter) table[unit] = WORD;
    else if (isDigit(unit)) table[unit] = DIGIT;
    else if (isBlank(unit)) table[unit] = BLANK;
  }
  for (const point of ".,;!?'-\u2019") table[point.charCodeAt(0)] = POINT;
  return table;
}

/** Of each word, in the order of the text. */
export const STARTS = new Int32Array(MOST);
export const ENDS = new Int32Array(MOST);
export const HASHES = new Int32Array(MOST);
/** Which word is the same and stands before it within reach. */
const BEFORE = new Int32Array(MOST);
export const FLAGS = new Uint8Array(MOST);
/** What it weighs, if it is sought. */
export const WEIGHTS = new Uint8Array(MOST);

/** The same word stands at least twice more, within reach of each other. */
const COMES_BACK = 1;
/** Something stands in front of it that does not stand between two words of a sentence. */
export const CUT = 2;
export const OF_FRAME = 4;
/** A line ends in front of it. */
export const LINE = 8;

const SLOTS = 4096;
const LAST = new Int32Array(SLOTS);
/** All numbers are the same word, and so is whatever has a digit. */
const NUMBER = 1;

/** What makes a field worth reading: words by their hashes, in a table with room for four times as many, and what each weighs. */
export interface Sought {
  readonly hashes: Int32Array;
  readonly weights: Uint8Array;
  /** A text that holds less is not looked at twice. */
  readonly least: number;
}

export function sought(words: ReadonlyMap<string, number>, least: number): Sought {
  const hashes = new Int32Array(1 << Math.ceil(Math.log2(4 * words.size)));
  const weights = new Uint8Array(hashes.length);
  for (const [word, weight] of words) {
    const hash = hashOf(
      Uint16Array.from(word, (char) => char.charCodeAt(0)),
      0,
      word.length,
    );
    const slot = slotOf(hashes, hash);
    hashes[slot] = hash;
    weights[slot] = weight;
  }
  return { hashes, weights, least };
}

/** Where it stands or would stand. */
function slotOf(table: Int32Array, hash: number): number {
  const mask = table.length - 1;
  let slot = hash & mask;
  while (table[slot] !== 0 && table[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

/** Of how it begins and ends, its middle and its length: few words have all that in common, and those may be taken for each other. */
function hashOf(units: Uint16Array, start: number, end: number): number {
  const size = end - start;
  const middle = units[start + (size >> 1)] as number;
  const first = ((units[start] as number) << 16) | (units[end - 1] as number);
  const second = size < 3 ? 0 : ((units[start + 1] as number) << 16) | (units[end - 2] as number);
  const outer = Math.imul(first | LOWER, 0x01000193) ^ Math.imul(second | LOWER, 0x2c1b3c6d);
  const mixed = outer ^ Math.imul((middle | 0x20) + (size << 8), 0x297a2d39);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}

const LOWER = 0x200020;

/** How many there are, and what those that are sought weigh together. */
export const counted = { words: 0, weight: 0 };

/** Finds those from a place on; returns up to where there was room for them. */
export function findWords(units: Uint16Array, from: number, length: number, telling: Sought): number {
  const end = readWords(units, from, length, telling);
  if (counted.weight >= telling.least) {
    findRepeats(units, from, length);
    findFrame();
  }
  return end;
}

/** Most texts end here: they say nothing that is worth the rest. */
function readWords(units: Uint16Array, from: number, length: number, { hashes, weights }: Sought): number {
  const kinds = CLASS;
  const mask = hashes.length - 1;
  let words = 0;
  let weight = 0;
  let flags = CUT | LINE;
  let end = length;
  for (let at = from; at < length;) {
    const start = at;
    let kind = kinds[units[at] as number] as number;
    if ((kind & OF_WORDS) === 0) {
      do at++;
      while (at < length && ((kinds[units[at] as number] as number) & OF_WORDS) === 0);
      flags |= between(units, start, at);
      continue;
    }
    let all = 0;
    do {
      all |= kind;
      at++;
    } while (at < length && ((kind = kinds[units[at] as number] as number) & OF_WORDS) !== 0);
    if (at - start > LONGEST_WORD) {
      flags |= CUT;
      continue;
    }
    if (words === MOST) {
      end = start;
      break;
    }
    let hash = NUMBER;
    let weighs = 0;
    if ((all & DIGIT) === 0) {
      hash = hashOf(units, start, at);
      const slot = hashes[hash & mask] === hash ? hash & mask : slotOf(hashes, hash);
      if (hashes[slot] === hash) {
        weighs = weights[slot] as number;
        weight += weighs;
      }
    }
    STARTS[words] = start;
    ENDS[words] = at;
    HASHES[words] = hash;
    FLAGS[words] = flags;
    WEIGHTS[words] = weighs;
    words++;
    flags = 0;
  }
  counted.words = words;
  counted.weight = weight;
  return end;
}

/** In the frame, the same stands beside a word each time; a letter that begins a field or ends it may be a word of the frame as well. */
function besideOf(units: Uint16Array, start: number, end: number, from: number, length: number): number {
  const before = start > from ? (units[start - 1] as number) : 0;
  const after = end < length ? (units[end] as number) : 0;
  return Math.imul((before << 16) | after, 0x27d4eb2f);
}

function findRepeats(units: Uint16Array, from: number, length: number): void {
  LAST.fill(-1);
  for (let word = 0; word < counted.words; word++) {
    let hash = HASHES[word] as number;
    if (hash !== NUMBER) {
      hash ^= besideOf(units, STARTS[word] as number, ENDS[word] as number, from, length);
      HASHES[word] = hash;
    }
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const last = LAST[slot] as number;
    LAST[slot] = word;
    BEFORE[word] = -1;
    if (last < 0 || word - last > ROW || HASHES[last] !== hash) continue;
    BEFORE[word] = last;
    const before = BEFORE[last] as number;
    if (before < 0) continue;
    FLAGS[before] = (FLAGS[before] as number) | COMES_BACK;
    FLAGS[last] = (FLAGS[last] as number) | COMES_BACK;
    FLAGS[word] = (FLAGS[word] as number) | COMES_BACK;
  }
}

/** In a sentence, blanks and at most one point, which may also begin a line; a comma without a blank parts columns. */
function between(units: Uint16Array, from: number, to: number): number {
  if (to - from === 1) {
    const unit = units[from] as number;
    return unit === LINE_END ? LINE : CLASS[unit] === SIGN || unit === COMMA ? CUT : 0;
  }
  let points = to - from > WIDEST_GAP ? 2 : 0;
  let line = 0;
  for (let at = from; at < to; at++) {
    const unit = units[at] as number;
    const kind = CLASS[unit] as number;
    if (unit === LINE_END) line = LINE;
    else if (kind === SIGN) points = 2;
    else if (kind === POINT) points++;
  }
  return points > 1 ? line | CUT : line;
}

/** What comes back belongs to the frame if it is a number, stands beside what no sentence has, or beside what belongs to it. */
function findFrame(): void {
  const { words } = counted;
  for (let i = 0; i < words; i++) {
    const flag = FLAGS[i] as number;
    if ((flag & COMES_BACK) === 0) continue;
    const isCut = (flag & (CUT | LINE)) !== 0 || i + 1 === words || ((FLAGS[i + 1] as number) & CUT) !== 0;
    if (isCut || HASHES[i] === NUMBER || isOfFrame(i - 1)) FLAGS[i] = flag | OF_FRAME;
  }
  for (let i = words - 2; i >= 0; i--)
    if (((FLAGS[i] as number) & COMES_BACK) !== 0 && isOfFrame(i + 1)) FLAGS[i] = (FLAGS[i] as number) | OF_FRAME;
}

export function isOfFrame(word: number): boolean {
  return word >= 0 && ((FLAGS[word] as number) & OF_FRAME) !== 0;
}
