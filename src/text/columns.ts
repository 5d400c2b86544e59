import { BLANK, CLASS, CUT, LINE, OF_FRAME, WORD } from './framed-words.ts';
import type { FramedWords } from './framed-words.ts';
import { isEndOfWord, nextNode } from './words.ts';

/**
 * Reads rows that are alike but for a field or two, such as captions, log lines, records or the elements of a document,
 * column by column. Reading one field of every row gives the text of its column, which an attack may be spread over.
 */

/**
 * Most words that a field of a row may have. A longer field counts as prose: its first and last words may still
 * continue from the row before and into the next.
 */
const MOST_WORDS = 12;
/** Fewer fields than this are left to the check of text ends that meet. */
const LEAST_FIELDS = 3;
/**
 * A long text is read in stretches. Each begins this many words before the end of the previous one, but no more than
 * LONGEST_OVERLAP characters before it.
 */
const OVERLAP = 512;
const LONGEST_OVERLAP = 16_384;

/** One column of the rows, in order: the start and end of each field, alternating. */
export type Column = readonly number[];

/** Is given a column and the total weight of the sought words in it; returns whether the column says something. */
export type Tell = (column: Column, weight: number) => boolean;

/** Calls `tell` for the columns of those stretches in which the sought words weigh at least `least` together. */
export function columnsIn(framed: FramedWords, units: Uint16Array, length: number, least: number, tell: Tell): void {
  for (let from = 0; from < length;) {
    const end = framed.find(units, from, length, least);
    if (framed.weight() >= least) findFields(framed, from, least, tell);
    from = end < length ? startOfNext(framed, from, end) : length;
  }
}

function startOfNext({ starts, count }: FramedWords, from: number, end: number): number {
  const words = count();
  for (let word = Math.max(1, words - OVERLAP); word < words; word++)
    if (from + starts[word]! > end - LONGEST_OVERLAP) return from + starts[word]!;
  return end;
}

/**
 * Numbers stored per field: its start and end, the key of its column according to the frame, its index in the line, and
 * its weight.
 */
const PER_FIELD = 5;

function findFields(framed: FramedWords, from: number, least: number, tell: Tell): void {
  const { starts, ends, hashes, flags, weights } = framed;
  const words = framed.count();
  let fields: number[] = [];
  let heard = 0;
  /** What identifies a column: the frame word before it, and how many fields are between the two. */
  let frame = 0;
  let behind = 0;
  let inLine = 0;
  let line = 0;
  const add = (first: number, last: number): void => {
    let weight = 0;
    for (let word = first; word <= last; word++) weight += weights[word]!;
    heard += weight;
    const column = Math.imul(frame, 0x01000193) + behind;
    fields.push(from + starts[first]!, from + ends[last]!, column, inLine, weight);
  };
  const close = (): void => {
    if (heard >= least && fields.length >= PER_FIELD * LEAST_FIELDS) tellColumns(fields, least, tell);
    if (fields.length > 0) fields = [];
    heard = 0;
  };
  for (let at = 0; at < words;) {
    if ((flags[at]! & LINE) !== 0) {
      line = lineFrom(framed, at);
      frame = line;
      behind = inLine = 0;
    }
    if (isOfFrame(framed, at)) {
      frame = hashes[at]!;
      behind = 0;
      at++;
      continue;
    }
    const first = at;
    do at++;
    while (at < words && !isBorder(framed, at, line));
    if (at - first <= 2 * MOST_WORDS) add(first, at - 1);
    else {
      add(first, first + MOST_WORDS - 1);
      if (!isOfFrame(framed, first - 1)) close();
      add(at - MOST_WORDS, at - 1);
    }
    behind++;
    inLine++;
  }
  close();
}

/**
 * Whether a field ends before this word. It ends with its line if that line or the next is cut into fields; in prose it
 * continues.
 */
function isBorder(framed: FramedWords, word: number, line: number): boolean {
  const flag = framed.flags[word]!;
  if ((flag & (OF_FRAME | CUT)) !== 0) return true;
  return (flag & LINE) !== 0 && (line !== OF_PROSE || lineFrom(framed, word) !== OF_PROSE);
}

const OF_PROSE = 0;
const OF_CUT_LINE = 2;
const OF_FRAMED_LINE = 3;

/**
 * What the line that begins with this word consists of. In chat logs, lines with a name and a time alternate with lines
 * of speech, so the kind of line is part of what identifies a column.
 */
function lineFrom(framed: FramedWords, first: number): number {
  const { flags } = framed;
  const words = framed.count();
  let line = OF_PROSE;
  for (let at = first; at < words && (at === first || (flags[at]! & LINE) === 0); at++) {
    if ((flags[at]! & OF_FRAME) !== 0) return OF_FRAMED_LINE;
    if (at > first && (flags[at]! & CUT) !== 0) line = OF_CUT_LINE;
  }
  return line;
}

function isOfFrame({ flags }: FramedWords, word: number): boolean {
  return word >= 0 && (flags[word]! & OF_FRAME) !== 0;
}

/**
 * Groups fields into columns by the frame. If no such column says anything, groups them by their index in the line,
 * provided that nearly all lines have the same number of fields.
 */
function tellColumns(fields: readonly number[], least: number, tell: Tell): void {
  const by = (keyOf: (field: number) => number): boolean => {
    const weights = new Map<number, number>();
    for (let field = 0; field < fields.length; field += PER_FIELD) {
      const weight = fields[field + 4]!;
      if (weight === 0) continue;
      const key = keyOf(field);
      weights.set(key, (weights.get(key) ?? 0) + weight);
    }
    // Most columns contain none of the sought words, so they are not assembled.
    const columns = new Map<number, number[]>();
    for (let field = 0; field < fields.length; field += PER_FIELD) {
      const key = keyOf(field);
      if ((weights.get(key) ?? 0) < least) continue;
      const column = columns.get(key);
      if (column === undefined) columns.set(key, [fields[field]!, fields[field + 1]!]);
      else column.push(fields[field]!, fields[field + 1]!);
    }
    let isTold = false;
    for (const [key, column] of columns)
      if (column.length >= 2 * LEAST_FIELDS && tell(column, weights.get(key)!)) isTold = true;
    return isTold;
  };
  if (!by((field) => fields[field + 2]!) && areAlike(fields)) by((field) => fields[field + 3]!);
}

/** The share of lines that must have the same number of fields. */
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

/** Whether a known word continues over the end of a field: `ig | nore`. */
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

/** The least letters of such a word. Two short pieces form a word by chance. */
const LEAST_CUT = 4;

/** The trie node that these letters lead to from `from`; 0 if no known word continues like that. */
function walk(units: Uint16Array, start: number, end: number, from: number): number {
  let node = from;
  for (let at = start; at < end; at++) {
    node = nextNode(node, units[at] as number);
    if (node === 0) return 0;
  }
  return node;
}
