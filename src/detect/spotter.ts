import { LEAST_PREFIX, LEAST_SUFFIX, LONGEST_GRAM } from './keys.ts';
import type { Key } from './keys.ts';
import { bitOf, createTable, hasBit } from './spotter-table.ts';
import { CODES, HASH, hashOf, SMALLS } from './word-hash.ts';

/**
 * Spots thousands of keys in one pass over the units of a text, at the same speed in every text. A hash runs along each
 * word; where words end is gathered without a branch, since a processor that guesses at each letter whether the word goes
 * on is wrong at every end, and takes twice as long (measured). Refused: an automaton over the letters (Aho and Corasick),
 * whose table is megabytes and which waits for memory at every character; and RE2.Set, which builds its states as it meets
 * new text: fast where text is ordinary, and at 0.5 MB/s where a sender makes every kilobyte new.
 */
export interface Spotter {
  /** Keys that hash alike share a number: spotting may say too much, and never too little. */
  readonly numberOf: (key: Key) => number;
  readonly count: number;
  /** In slices, one after the other, so that a long text can be given up between them: the first begins at 0, the last ends the text. */
  readonly spot: (units: Uint16Array, from: number, to: number, isLast: boolean, spotted: Spotted) => void;
}

/**
 * What was spotted, in the order of the text: the number of a key, the index behind the word, or the gram, that it ends in,
 * and which word of the text that is. Each unit beyond ASCII counts as a word, as in beginnings.ts.
 */
export interface Spotted {
  count: number;
  keys: Int32Array;
  ends: Int32Array;
  places: Int32Array;
}

export function nothingSpotted(): Spotted {
  return { count: 0, keys: new Int32Array(1024), ends: new Int32Array(1024), places: new Int32Array(1024) };
}

// Of this module, for the loops below: what is imported is looked up anew at every letter.
const CODE = CODES;
const SMALL = SMALLS;
const STEP = HASH.step;
const PAIR = HASH.pair;
const GRAM = HASH.gram;
/** What a hash is multiplied with by so many letters more; no part of a word that is looked for is longer. */
const STEPS = new Int32Array(64).fill(1);
for (let i = 1; i < STEPS.length; i += 1) STEPS[i] = Math.imul(STEPS[i - 1]!, STEP);
const [STEP_2, STEP_3, STEP_4] = [STEPS[2]!, STEPS[3]!, STEPS[4]!];

/** Arrays that never change place or size: with any others the loop takes twice as long. */
const BLOCK = 4096;
const UNITS = new Uint16Array(BLOCK);
/** The hash of the word so far, after each unit; 0 between words, and first of all what came over from the block before. */
const ALONG = new Int32Array(BLOCK + 1);
const ENDS = new Uint32Array(BLOCK + 1);
/** Where words begin; before the block, where one was under way. */
const STARTS = new Int32Array(BLOCK + 1);
/** Units beyond ASCII before the end of each word. */
const WIDES = new Int32Array(BLOCK + 1);

/** Of the block: the hash of a word that goes on and where it began, and how many units are beyond ASCII. */
let hash = 0;
let start = 0;
let wides = 0;

function gather(size: number): number {
  let along = hash;
  let inWord = along === 0 ? 0 : 1;
  let beyond = 0;
  let count = 0;
  let begun = inWord;
  STARTS[0] = start;
  ALONG[0] = along;
  for (let i = 0; i < size; i += 1) {
    const unit = UNITS[i]!;
    const code = CODE[unit]!;
    const isWord = (code + 63) >> 6;
    ENDS[count] = i;
    WIDES[count] = beyond;
    beyond += (unit + 0xff80) >> 16;
    count += inWord & (isWord ^ 1);
    STARTS[begun] = i;
    begun += isWord & (inWord ^ 1);
    along = Math.imul(along + code, STEP) & -isWord;
    ALONG[i + 1] = along;
    inWord = isWord;
  }
  hash = along;
  start = begun === 0 ? 0 : STARTS[begun - 1]! - size;
  WIDES[count] = beyond;
  wides = beyond;
  return count;
}

/** Letters of a prefix, or a suffix, that a word is tried with first. */
const MOST_TRIED = 4;

export function createSpotter(keys: readonly Key[]): Spotter {
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
  for (const { kind, text } of keys) {
    if (kind === 'gram' && text.length > LONGEST_GRAM) throw new RangeError('a gram is too long');
    if (tables[kind].add(hashOf[kind](text), count)) count += 1;
    if ((kind === 'prefix' || kind === 'suffix') && text.length >= STEPS.length)
      throw new RangeError('a part is too long');
    if (kind === 'prefix') {
      // By four of its letters, or all three: most words begin otherwise.
      begins.add(hashOf.prefix(text.slice(0, MOST_TRIED)), 0);
      longestPrefix = Math.max(longestPrefix, text.length);
    }
    if (kind === 'suffix') {
      ends.add(hashOf.suffix(text.slice(-MOST_TRIED)), 0);
      longestSuffix = Math.max(longestSuffix, text.length);
    }
  }
  const { word: words, prefix: prefixes, suffix: suffixes, pair: pairs, gram: grams } = tables;
  const wordBits = words.bits;
  const pairBits = pairs.bits;
  const gramBits = grams.bits;
  const prefixBits = prefixes.bits;
  const suffixBits = suffixes.bits;
  const beginBits = begins.bits;
  const endBits = ends.bits;

  function tell(spotted: Spotted, key: number, end: number, place: number): void {
    if (key < 0) return;
    if (spotted.count === spotted.keys.length) {
      spotted.keys = longer(spotted.keys);
      spotted.ends = longer(spotted.ends);
      spotted.places = longer(spotted.places);
    }
    spotted.keys[spotted.count] = key;
    spotted.ends[spotted.count] = end;
    spotted.places[spotted.count] = place;
    spotted.count += 1;
  }

  // From block to block: the word before, and how many there were; the last units beyond ASCII that stand side by side.
  let before = 0;
  let passed = 0;
  let wide = 0;
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let five = 0;

  /** Whether a word of the block may begin, or end, like one of the keys: all is asked at once, since each answer is a guess. */
  function beginsOrEnds(start: number, end: number): boolean {
    const length = end - start;
    if (length < LEAST_SUFFIX) return false;
    const whole = ALONG[end]!;
    let any = bitOf(endBits, (whole - Math.imul(ALONG[end - 2]!, STEP_2)) | 0);
    if (length > 2)
      any |= bitOf(beginBits, ALONG[start + 3]!) | bitOf(endBits, (whole - Math.imul(ALONG[end - 3]!, STEP_3)) | 0);
    if (length > 3)
      any |= bitOf(beginBits, ALONG[start + 4]!) | bitOf(endBits, (whole - Math.imul(ALONG[end - 4]!, STEP_4)) | 0);
    return any !== 0;
  }

  /** A word of the block: each beginning has been hashed, and each end is the whole without what stands before it. */
  function tellParts(start: number, end: number, at: number, place: number, spotted: Spotted): void {
    const length = end - start;
    for (let size = LEAST_PREFIX; size <= length && size <= longestPrefix; size += 1) {
      const hash = ALONG[start + size]!;
      if (hasBit(prefixBits, hash)) tell(spotted, prefixes.find(hash), at, place);
    }
    const whole = ALONG[end]!;
    for (let size = LEAST_SUFFIX; size <= length && size <= longestSuffix; size += 1) {
      const hash = (whole - Math.imul(ALONG[end - size]!, STEPS[size]!)) | 0;
      if (hasBit(suffixBits, hash)) tell(spotted, suffixes.find(hash), at, place);
    }
  }

  /** A word that began before the block. */
  function tellPartsOf(units: Uint16Array, start: number, end: number, place: number, spotted: Spotted): void {
    let hash = 0;
    for (let i = start; i < Math.min(end, start + longestPrefix); i += 1) {
      hash = Math.imul(hash + CODE[units[i]!]!, STEP);
      if (i - start + 1 >= LEAST_PREFIX && hasBit(prefixBits, hash)) tell(spotted, prefixes.find(hash), end, place);
    }
    hash = 0;
    let power = 1;
    for (let i = end - 1; i >= Math.max(start, end - longestSuffix); i -= 1) {
      power = Math.imul(power, STEP);
      hash = (hash + Math.imul(CODE[units[i]!]!, power)) | 0;
      if (end - i >= LEAST_SUFFIX && hasBit(suffixBits, hash)) tell(spotted, suffixes.find(hash), end, place);
    }
  }

  function tellGrams(from: number, size: number, ended: number, spotted: Spotted): void {
    let place = passed;
    let next = 0;
    for (let i = 0; i < size; i += 1) {
      const unit = SMALL[UNITS[i]!]!;
      if (next < ended && ENDS[next] === i) {
        next += 1;
        place += 1;
      }
      if (unit < 128) {
        wide = 0;
        continue;
      }
      wide += 1;
      place += 1;
      if (wide > 1) {
        let gram = Math.imul(Math.imul(GRAM + unit, STEP) + one, STEP);
        if (hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1, place);
        gram = Math.imul(gram + two, STEP);
        if (wide > 2 && hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1, place);
        gram = Math.imul(gram + three, STEP);
        if (wide > 3 && hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1, place);
        gram = Math.imul(Math.imul(gram + four, STEP) + five, STEP);
        if (wide > 5 && hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1, place);
      }
      five = four;
      four = three;
      three = two;
      two = one;
      one = unit;
    }
  }

  return {
    count,
    numberOf: ({ kind, text }) => tables[kind].find(hashOf[kind](text)),
    spot(units, begin, to, isLast, spotted) {
      if (begin === 0) {
        spotted.count = 0;
        hash = before = wide = passed = 0;
      }
      for (let from = begin; from < to; from += BLOCK) {
        const size = Math.min(BLOCK, to - from);
        UNITS.set(units.subarray(from, from + size));
        const known = spotted.count;
        let ended = gather(size);
        if (isLast && from + size === to && hash !== 0) {
          ENDS[ended] = size;
          ended += 1;
        }
        for (let i = 0; i < ended; i += 1) {
          const first = STARTS[i]!;
          const last = ENDS[i]!;
          const word = ALONG[last]!;
          const both = Math.imul(before ^ (word >>> 15), PAIR) ^ word;
          before = word;
          const place = passed + i + 1 + WIDES[i]!;
          if (hasBit(wordBits, word)) tell(spotted, words.find(word), from + last, place);
          if (hasBit(pairBits, both)) tell(spotted, pairs.find(both), from + last, place);
          if (first < 0) tellPartsOf(units, from + first, from + last, place, spotted);
          else if (beginsOrEnds(first, last)) tellParts(first, last, from + last, place, spotted);
        }
        if (wides === 0) wide = 0;
        else {
          const between = spotted.count;
          tellGrams(from, size, ended, spotted);
          if (known < between && between < spotted.count) inOrder(spotted, known);
        }
        passed += ended + wides;
      }
    },
  };
}

/** Words were told first, and grams after them. */
function inOrder({ keys, ends, places, count }: Spotted, first: number): void {
  const order = Array.from({ length: count - first }, (_, i) => first + i).sort((a, b) => ends[a]! - ends[b]!);
  for (const column of [keys, ends, places])
    column.set(
      order.map((i) => column[i]!),
      first,
    );
}

function longer(array: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(array.length * 2);
  more.set(array);
  return more;
}
