import { SORT, ACCENTED, LETTER } from './sorts.ts';
import { isAsciiLetter, isBlank, isDigit } from './units.ts';
import { isEndOfWord, nextNode } from './words.ts';

/**
 * Rows that are alike but for one field: captions, log lines, records, the elements of a document. Numbers and the words that come
 * back from row to row are their frame; what is left, row after row, is what somebody reads who reads that field.
 */

/** Words of one frame come back within so many: records of issues and pages have a hundred names in each. */
const ROW = 160;
/** As much as one row may say in its field; more is prose, of which the ends may still go on from a row and into one. */
const MOST_WORDS = 12;
/** Fewer fields are read by what looks at the ends of texts that meet. */
const LEAST_FIELDS = 3;
/** Longer ones are no words, and wider gaps do not stand within a field. */
const LONGEST_WORD = 64;
const WIDEST_GAP = 8;

/** A long text is read in stretches of so many words, of which each begins in the one before: what is remembered has a bound. */
const MOST = 8192;
const OVERLAP = 512;

const BLANK = 0;
const WORD = 1;
const DIGIT = 2;
const OF_WORDS = WORD | DIGIT;
/** What parts and joins the words of a sentence. */
const POINT = 4;
const SIGN = 8;

const COMMA = 0x2c;
const LINE_END = 0x0a;

const CLASS = classes();

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
const STARTS = new Int32Array(MOST);
const ENDS = new Int32Array(MOST);
const HASHES = new Int32Array(MOST);
/** Which word is the same and stands before it within reach. */
const BEFORE = new Int32Array(MOST);
const FLAGS = new Uint8Array(MOST);

/** The same word stands at least twice more, within reach of each other. */
const COMES_BACK = 1;
/** Something stands in front of it that does not stand between two words of a sentence. */
const CUT = 2;
const OF_FRAME = 4;
const TELLING = 8;
/** A line ends in front of it. */
const LINE = 16;

const SLOTS = 4096;
const LAST = new Int32Array(SLOTS);
/** All numbers are the same word, and so is whatever has a digit. */
const NUMBER = 1;

/** What makes a field worth reading, by their hashes, in a table with room for four times as many. */
export type Sought = Int32Array;

export function sought(list: readonly string[]): Sought {
  const table = new Int32Array(1 << Math.ceil(Math.log2(4 * list.length)));
  for (const word of list) {
    const hash = hashOf(
      Uint16Array.from(word, (char) => char.charCodeAt(0)),
      0,
      word.length,
    );
    table[slotOf(table, hash)] = hash;
  }
  return table;
}

/** Where it stands or would stand. */
function slotOf(table: Sought, hash: number): number {
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

let words = 0;
let isAnySought = false;

/** What stands in one column of such rows, in their order: where each field begins and ends. */
export type Column = readonly number[];

/** Whether it says something. */
export type Tell = (column: Column) => boolean;

/** Tells the columns of stretches that hold one of the words. */
export function columnsIn(units: Uint16Array, length: number, telling: Sought, tell: Tell): void {
  for (let from = 0; from < length;) {
    const end = findWords(units, from, length, telling);
    if (isAnySought) {
      findFrame();
      findFields(tell);
    }
    from = end < length ? (STARTS[MOST - OVERLAP] as number) : length;
  }
}

/** Returns up to where there was room for them. */
function findWords(units: Uint16Array, from: number, length: number, telling: Sought): number {
  const kinds = CLASS;
  LAST.fill(-1);
  words = 0;
  isAnySought = false;
  let flags = CUT | LINE;
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
    if (words === MOST) return start;
    STARTS[words] = start;
    ENDS[words] = at;
    if ((all & DIGIT) !== 0) note(NUMBER, flags);
    else {
      const hash = hashOf(units, start, at);
      if (telling[slotOf(telling, hash)] === hash) {
        flags |= TELLING;
        isAnySought = true;
      }
      note(hash ^ besideOf(units, start, at, from, length), flags);
    }
    flags = 0;
  }
  return length;
}

/** In the frame, the same stands beside a word each time; a letter that begins a field or ends it may be a word of the frame as well. */
function besideOf(units: Uint16Array, start: number, end: number, from: number, length: number): number {
  const before = start > from ? (units[start - 1] as number) : 0;
  const after = end < length ? (units[end] as number) : 0;
  return Math.imul((before << 16) | after, 0x27d4eb2f);
}

function note(hash: number, flags: number): void {
  HASHES[words] = hash;
  FLAGS[words] = flags;
  BEFORE[words] = -1;
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const last = LAST[slot] as number;
  LAST[slot] = words;
  if (last >= 0 && words - last <= ROW && HASHES[last] === hash) {
    BEFORE[words] = last;
    const first = BEFORE[last] as number;
    if (first >= 0) {
      FLAGS[first] = (FLAGS[first] as number) | COMES_BACK;
      FLAGS[last] = (FLAGS[last] as number) | COMES_BACK;
      FLAGS[words] = flags | COMES_BACK;
    }
  }
  words++;
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
  for (let i = 0; i < words; i++) {
    const flag = FLAGS[i] as number;
    if ((flag & COMES_BACK) === 0) continue;
    const isCut = (flag & (CUT | LINE)) !== 0 || i + 1 === words || ((FLAGS[i + 1] as number) & CUT) !== 0;
    if (isCut || HASHES[i] === NUMBER || isOfFrame(i - 1)) FLAGS[i] = flag | OF_FRAME;
  }
  for (let i = words - 2; i >= 0; i--)
    if (((FLAGS[i] as number) & COMES_BACK) !== 0 && isOfFrame(i + 1)) FLAGS[i] = (FLAGS[i] as number) | OF_FRAME;
}

function isOfFrame(word: number): boolean {
  return word >= 0 && ((FLAGS[word] as number) & OF_FRAME) !== 0;
}

/** Of each field: where it begins and ends, the column that the frame says it is in, and its place in the line. */
const PER_FIELD = 4;

function findFields(tell: Tell): void {
  let fields: number[] = [];
  let heard = 0;
  /** By what a column is known: the word of the frame that stands before it, and how many fields stand between. */
  let frame = 0;
  let behind = 0;
  let inLine = 0;
  let line = 0;
  const add = (first: number, last: number): void => {
    fields.push(STARTS[first] as number, ENDS[last] as number, Math.imul(frame, 0x01000193) + behind, inLine);
  };
  const close = (): void => {
    if (heard > 0 && fields.length >= PER_FIELD * LEAST_FIELDS) tellColumns(fields, tell);
    if (fields.length > 0) fields = [];
    heard = 0;
  };
  for (let at = 0; at < words;) {
    if (((FLAGS[at] as number) & LINE) !== 0) {
      line = lineFrom(at);
      frame = line;
      behind = inLine = 0;
    }
    if (isOfFrame(at)) {
      frame = HASHES[at] as number;
      behind = 0;
      at++;
      continue;
    }
    const first = at;
    do {
      if (((FLAGS[at] as number) & TELLING) !== 0) heard++;
      at++;
    } while (at < words && !isBorder(at, line));
    if (at - first <= 2 * MOST_WORDS) add(first, at - 1);
    else {
      add(first, first + MOST_WORDS - 1);
      if (!isOfFrame(first - 1)) close();
      add(at - MOST_WORDS, at - 1);
    }
    behind++;
    inLine++;
  }
  close();
}

/** A field ends with its line where that line or the next is cut into fields; in prose, it goes on. */
function isBorder(word: number, line: number): boolean {
  const flag = FLAGS[word] as number;
  if ((flag & (OF_FRAME | CUT)) !== 0) return true;
  return (flag & LINE) !== 0 && (line !== OF_PROSE || lineFrom(word) !== OF_PROSE);
}

const OF_PROSE = 0;
const OF_CUT_LINE = 2;
const OF_FRAMED_LINE = 3;

/** What the line that begins with this word is made of: names with a time may take turns with what they say. */
function lineFrom(first: number): number {
  let line = OF_PROSE;
  for (let at = first; at < words && (at === first || ((FLAGS[at] as number) & LINE) === 0); at++) {
    if (isOfFrame(at)) return OF_FRAMED_LINE;
    if (at > first && ((FLAGS[at] as number) & CUT) !== 0) line = OF_CUT_LINE;
  }
  return line;
}

/** By the frame; where that tells nothing, by their place in the line, if nearly all lines have as many. */
function tellColumns(fields: readonly number[], tell: Tell): void {
  const by = (keyOf: (field: number) => number): boolean => {
    const columns = new Map<number, number[]>();
    for (let field = 0; field < fields.length; field += PER_FIELD) {
      const key = keyOf(field);
      const column = columns.get(key);
      if (column === undefined) columns.set(key, [fields[field]!, fields[field + 1]!]);
      else column.push(fields[field]!, fields[field + 1]!);
    }
    let isTold = false;
    for (const column of columns.values()) if (column.length >= 2 * LEAST_FIELDS && tell(column)) isTold = true;
    return isTold;
  };
  if (!by((field) => fields[field + 2]!) && areAlike(fields)) by((field) => fields[field + 3]!);
}

const ALIKE = 0.8;

function areAlike(fields: readonly number[]): boolean {
  const lines = new Map<number, number>();
  let all = 0;
  for (let field = 0; field < fields.length; field += PER_FIELD) {
    const place = fields[field + 3]!;
    if (field + PER_FIELD < fields.length && fields[field + PER_FIELD + 3]! > place) continue;
    lines.set(place, (lines.get(place) ?? 0) + 1);
    all++;
  }
  return all >= LEAST_FIELDS && Math.max(...lines.values()) >= ALIKE * all;
}

/** Whether a word that we know goes on over the end of a field. */
export function areCut(units: Uint16Array, column: Column): boolean {
  let node = 0;
  let letters = 0;
  for (let i = 0; i < column.length; i += 2) {
    const start = column[i]!;
    const end = column[i + 1]!;
    let to = start;
    while (to < end && CLASS[units[to] as number] === WORD) to++;
    if (node !== 0) node = CLASS[units[start - 1] as number] === BLANK ? 0 : walk(units, start, to, node);
    if (node !== 0 && letters + to - start >= LEAST_CUT && isEndOfWord(node)) return true;
    if (CLASS[units[end] as number] === BLANK) node = 0;
    else if (node !== 0 && to === end) letters += to - start;
    else {
      let from = end;
      while (from > start && CLASS[units[from - 1] as number] === WORD) from--;
      letters = end - from;
      node = walk(units, from, end, 0);
    }
  }
  return false;
}

/** Letters of such a word: two short ones are one by chance. */
const LEAST_CUT = 4;

/** Where letters lead from a node of all words that we know; 0 where no word goes on like that. */
function walk(units: Uint16Array, start: number, end: number, from: number): number {
  let node = from;
  for (let at = start; at < end; at++) {
    node = nextNode(node, units[at] as number);
    if (node === 0) return 0;
  }
  return node;
}
