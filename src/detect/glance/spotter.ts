import { LEAST_PREFIX, LEAST_SUFFIX, LONGEST_GRAM } from '../patterns/keys.ts';
import type { Key } from '../patterns/keys.ts';
import { createKernel, hashesOf } from './spot-kernel.ts';
import type { Reading } from './spot-kernel.ts';
import { createTable } from './spotter-table.ts';

/**
 * Spots thousands of keys in one pass over the UTF-16 units of a text, at the same speed in every text. The pass is
 * kernel/spot.ts; this side makes its tables.
 *
 * Refused: an automaton over the letters (Aho-Corasick), whose table is megabytes, so that it waits for memory at every
 * character; RE2.Set, which makes its states as it meets new text: fast in ordinary text, but at 0.5 MB/s where a
 * sender makes every kilobyte new; and the same pass in JavaScript, which took twice as long.
 */
export interface Spotter {
  /**
   * Reads a text in slices, one after the other, so that a long one can be given up between them. The first slice
   * begins at 0, and `isLast` says that a slice ends the text.
   */
  readonly spot: (units: Uint16Array, from: number, to: number, isLast: boolean, spotted: Spotted) => void;
}

/** Keys that were hashed. What to tell of each when it is spotted is given later. */
export interface Hashed {
  /**
   * For each key, by its index, its number. Keys with the same hash share a number: spotting may say too much, never
   * too little.
   */
  readonly numbers: Int32Array;
  readonly count: number;
  /**
   * Makes the spotter. `told` is what to tell where a key of each number is spotted, in 31 bits. It can be called only
   * once: what is told takes the place of the numbers.
   */
  readonly telling: (told: Int32Array) => Spotter;
}

/**
 * What was spotted, in the order of the text. `keys`: what is told of the key. `ends`: the offset behind the word, or
 * the gram, that the key ends in. `places`: which word of the text that is. Each unit beyond ASCII counts as a word, as in
 * beginnings.ts, except for joiners and for what stands between words.
 */
export interface Spotted extends Columns {
  count: number;
  /** Where each run of at least three characters between words has its third one: the first `runs` of them. */
  thirds: Int32Array;
  runs: number;
}

interface Columns {
  keys: Int32Array;
  ends: Int32Array;
  places: Int32Array;
}

const NONE = new Int32Array(0);

export function nothingSpotted(): Spotted {
  return { count: 0, keys: NONE, ends: NONE, places: NONE, thirds: NONE, runs: 0 };
}

/**
 * A word is first tried with this many letters of all prefixes and suffixes, and with all letters of those that are
 * shorter.
 */
const MOST_TRIED = 4;

export function hashKeys(keys: readonly Key[], hashes = hashesOf(keys)): Hashed {
  const kernel = createKernel();
  let count = 0;
  const tables = {
    word: createTable(),
    prefix: createTable(),
    suffix: createTable(),
    pair: createTable(),
    gram: createTable(),
  };
  const begins = createTable();
  const ends = createTable();
  let longestPrefix = 0;
  let longestSuffix = 0;
  const numbers = Int32Array.from(keys, ({ kind, text }, at) => {
    if (kind === 'gram' && text.length > LONGEST_GRAM) throw new RangeError('a gram is too long');
    if ((kind === 'prefix' || kind === 'suffix') && text.length >= kernel.longest)
      throw new RangeError('a part is too long');
    const hash = hashes[at]!;
    if (tables[kind].add(hash, count)) count += 1;
    if (kind === 'prefix') {
      begins.add(kernel.hashOf({ kind, text: text.slice(0, MOST_TRIED) }), 0);
      longestPrefix = Math.max(longestPrefix, text.length);
    }
    if (kind === 'suffix') {
      ends.add(kernel.hashOf({ kind, text: text.slice(-MOST_TRIED) }), 0);
      longestSuffix = Math.max(longestSuffix, text.length);
    }
    return tables[kind].find(hash);
  });
  return {
    numbers,
    count,
    telling(told) {
      for (const table of Object.values(tables)) table.tell((number) => told[number]!);
      const prefixes = { least: LEAST_PREFIX, most: longestPrefix };
      const suffixes = { least: LEAST_SUFFIX, most: longestSuffix };
      return spotterOf(kernel.reading({ of: tables, begins, ends, prefixes, suffixes }));
    },
  };
}

function spotterOf(reading: Reading): Spotter {
  const { block } = reading;
  const own: Columns = { keys: new Int32Array(1024), ends: new Int32Array(1024), places: new Int32Array(1024) };
  let ownThirds = new Int32Array(1024);

  return {
    spot(units, begin, to, isLast, spotted) {
      if (begin === 0) {
        spotted.count = 0;
        spotted.runs = 0;
        reading.start();
        if (isLast && to <= block) {
          // Most texts are one block, and the columns of the kernel are used as they are.
          spotted.count = reading.spot(units, 0, to, true);
          ({ keys: spotted.keys, ends: spotted.ends, places: spotted.places, thirds: spotted.thirds } = reading);
          spotted.runs = reading.runs();
          return;
        }
        ({ keys: spotted.keys, ends: spotted.ends, places: spotted.places } = own);
        spotted.thirds = ownThirds;
      }
      for (let from = begin; from < to; from += block) {
        const size = Math.min(block, to - from);
        const told = reading.spot(units, from, size, isLast && from + size === to);
        const { count } = spotted;
        if (count + told > own.keys.length) {
          lengthen(own, count, count + told);
          ({ keys: spotted.keys, ends: spotted.ends, places: spotted.places } = own);
        }
        for (let i = 0; i < told; i += 1) {
          spotted.keys[count + i] = reading.keys[i]!;
          spotted.ends[count + i] = from + reading.ends[i]!;
          spotted.places[count + i] = reading.places[i]!;
        }
        spotted.count = count + told;
        const more = reading.runs();
        if (spotted.runs + more > ownThirds.length)
          spotted.thirds = ownThirds = lengthened(ownThirds, spotted.runs, spotted.runs + more);
        for (let i = 0; i < more; i += 1) ownThirds[spotted.runs + i] = from + reading.thirds[i]!;
        spotted.runs += more;
      }
    },
  };
}

function lengthen(columns: Columns, used: number, least: number): void {
  for (const column of ['keys', 'ends', 'places'] as const) columns[column] = lengthened(columns[column], used, least);
}

function lengthened(column: Int32Array, used: number, least: number): Int32Array<ArrayBuffer> {
  let { length } = column;
  while (length < least) length *= 2;
  const longer = new Int32Array(length);
  longer.set(column.subarray(0, used));
  return longer;
}
