import { LEAST_PREFIX, LEAST_SUFFIX, LONGEST_GRAM } from './keys.ts';
import type { Key } from './keys.ts';

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

/** What was spotted, in the order of the text: the number of a key, and the index behind the word, or the gram, that it ends in. */
export interface Spotted {
  count: number;
  keys: Int32Array;
  ends: Int32Array;
}

export function nothingSpotted(): Spotted {
  return { count: 0, keys: new Int32Array(1024), ends: new Int32Array(1024) };
}

/** Letters, in either case, and digits from one up; everything else is none. */
const CODE = Uint8Array.from({ length: 65_536 }, (_, unit) => {
  const char = unit < 128 ? String.fromCharCode(unit).toLowerCase() : ' ';
  if (char >= 'a' && char <= 'z') return char.charCodeAt(0) - 96;
  return char >= '0' && char <= '9' ? char.charCodeAt(0) - 20 : 0;
});
const CODES = 38;

/**
 * Letters beyond ASCII as small ones. By way of the capital, since several small ones may share one, and to the engine they
 * are all the same: the two of Greek sigma, and the Cyrillic letters of old prints.
 */
const SMALL = Uint16Array.from({ length: 65_536 }, (_, unit) => {
  if (unit < 128 || unit > 0x24ff) return unit;
  const char = String.fromCharCode(unit);
  const alike = [char.toUpperCase().toLowerCase(), char.toLowerCase()];
  return alike.find((small) => small.length === 1 && small > '\x7f')?.charCodeAt(0) ?? unit;
});

const STEP = 0x297a2d39 | 0;
const PAIR = 0x6c8e9cf5 | 0;
const GRAM = 0x2c1b3c6d;

const hashOf = {
  word: (text) => along(0, text, (unit) => CODE[unit]!),
  prefix: (text) => along(0, text, (unit) => CODE[unit]!),
  suffix: (text) => along(0, backwards(text), (unit) => CODE[unit]!),
  pair: (text) => {
    const gap = text.indexOf(' ');
    const [before, after] = [text.slice(0, gap), text.slice(gap + 1)];
    return paired(
      along(0, before, (unit) => CODE[unit]!),
      along(0, after, (unit) => CODE[unit]!),
    );
  },
  // From the last to the first, as a look back from where it ends meets them.
  gram: (text) => along(GRAM, backwards(text), (unit) => SMALL[unit]!),
} satisfies Record<Key['kind'], (text: string) => number>;

function along(seed: number, text: string, codeOf: (unit: number) => number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ codeOf(text.charCodeAt(i)), STEP);
  return hash;
}

function backwards(text: string): string {
  return text.split('').reverse().join('');
}

function paired(before: number, after: number): number {
  return Math.imul(before ^ (after >>> 15), PAIR) ^ after;
}

/** Arrays that never change place or size: with any others the loop takes twice as long. */
const BLOCK = 4096;
const UNITS = new Uint16Array(BLOCK);
const ENDS = new Uint32Array(BLOCK + 1);
const HASHES = new Int32Array(BLOCK + 1);
/** Where words begin; before the block, where one was under way. */
const STARTS = new Int32Array(BLOCK + 1);

/** Of the block: the hash of a word that goes on and where it began, and the bits of all units. */
let hash = 0;
let start = 0;
let anyBits = 0;

function gather(size: number): number {
  let along = hash;
  let inWord = along === 0 ? 0 : 1;
  let any = 0;
  let count = 0;
  let begun = inWord;
  STARTS[0] = start;
  for (let i = 0; i < size; i += 1) {
    const unit = UNITS[i]!;
    const code = CODE[unit]!;
    const isWord = (code + 63) >> 6;
    any |= unit;
    HASHES[count] = along;
    ENDS[count] = i;
    count += inWord & (isWord ^ 1);
    STARTS[begun] = i;
    begun += isWord & (inWord ^ 1);
    along = Math.imul(along ^ code, STEP) & -isWord;
    inWord = isWord;
  }
  hash = along;
  start = begun === 0 ? 0 : STARTS[begun - 1]! - size;
  anyBits = any;
  return count;
}

export function createSpotter(keys: readonly Key[]): Spotter {
  let count = 0;
  const tables = {
    word: createTable(),
    prefix: createTable(),
    suffix: createTable(),
    pair: createTable(),
    gram: createTable(),
  };
  /** The first letters of prefixes, and the last of suffixes: most words begin, and end, otherwise. */
  const begins = new Uint8Array(CODES ** LEAST_PREFIX);
  const ends = new Uint8Array(CODES ** LEAST_SUFFIX);
  let longestPrefix = 0;
  let longestSuffix = 0;
  for (const { kind, text } of keys) {
    if (kind === 'gram' && text.length > LONGEST_GRAM) throw new RangeError('a gram is too long');
    if (tables[kind].add(hashOf[kind](text), count)) count += 1;
    if (kind === 'prefix') {
      begins[beginning(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))] = 1;
      longestPrefix = Math.max(longestPrefix, text.length);
    }
    if (kind === 'suffix') {
      ends[ending(text.charCodeAt(text.length - 2), text.charCodeAt(text.length - 1))] = 1;
      longestSuffix = Math.max(longestSuffix, text.length);
    }
  }
  const { word: words, prefix: prefixes, suffix: suffixes, pair: pairs, gram: grams } = tables;
  const wordBits = words.bits;
  const pairBits = pairs.bits;
  const gramBits = grams.bits;
  const prefixBits = prefixes.bits;
  const suffixBits = suffixes.bits;

  function tell(spotted: Spotted, key: number, end: number): void {
    if (key < 0) return;
    if (spotted.count === spotted.keys.length) {
      spotted.keys = longer(spotted.keys);
      spotted.ends = longer(spotted.ends);
    }
    spotted.keys[spotted.count] = key;
    spotted.ends[spotted.count] = end;
    spotted.count += 1;
  }

  // From block to block: the word before; the last units beyond ASCII that stand side by side.
  let before = 0;
  let wide = 0;
  let one = 0;
  let two = 0;
  let three = 0;

  function tellPrefixes(units: Uint16Array, start: number, end: number, spotted: Spotted): void {
    let hash = 0;
    const most = Math.min(end, start + longestPrefix);
    for (let i = start; i < most; i += 1) {
      hash = Math.imul(hash ^ CODE[units[i]!]!, STEP);
      if (i - start + 1 >= LEAST_PREFIX && hasBit(prefixBits, hash)) tell(spotted, prefixes.find(hash), end);
    }
  }

  function tellSuffixes(units: Uint16Array, start: number, end: number, spotted: Spotted): void {
    let hash = 0;
    const least = Math.max(start, end - longestSuffix);
    for (let i = end - 1; i >= least; i -= 1) {
      hash = Math.imul(hash ^ CODE[units[i]!]!, STEP);
      if (end - i >= LEAST_SUFFIX && hasBit(suffixBits, hash)) tell(spotted, suffixes.find(hash), end);
    }
  }

  function tellGrams(from: number, size: number, spotted: Spotted): void {
    for (let i = 0; i < size; i += 1) {
      const unit = SMALL[UNITS[i]!]!;
      if (unit < 128) {
        wide = 0;
        continue;
      }
      wide += 1;
      if (wide > 1) {
        let gram = Math.imul(Math.imul(GRAM ^ unit, STEP) ^ one, STEP);
        if (hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1);
        gram = Math.imul(gram ^ two, STEP);
        if (wide > 2 && hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1);
        gram = Math.imul(gram ^ three, STEP);
        if (wide > 3 && hasBit(gramBits, gram)) tell(spotted, grams.find(gram), from + i + 1);
      }
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
        hash = before = wide = 0;
      }
      for (let from = begin; from < to; from += BLOCK) {
        const size = Math.min(BLOCK, to - from);
        UNITS.set(units.subarray(from, from + size));
        const first = spotted.count;
        let ended = gather(size);
        if (isLast && from + size === to && hash !== 0) {
          HASHES[ended] = hash;
          ENDS[ended] = size;
          ended += 1;
        }
        for (let i = 0; i < ended; i += 1) {
          const word = HASHES[i]!;
          const both = Math.imul(before ^ (word >>> 15), PAIR) ^ word;
          before = word;
          if (hasBit(wordBits, word)) tell(spotted, words.find(word), from + ENDS[i]!);
          if (hasBit(pairBits, both)) tell(spotted, pairs.find(both), from + ENDS[i]!);
          const at = from + STARTS[i]!;
          if (begins[beginning(units[at]!, units[at + 1]!, units[at + 2]!)] === 1)
            tellPrefixes(units, at, from + ENDS[i]!, spotted);
          const end = from + ENDS[i]!;
          if (end > at + 1 && ends[ending(units[end - 2]!, units[end - 1]!)] === 1)
            tellSuffixes(units, at, end, spotted);
        }
        if (anyBits < 128) wide = 0;
        else {
          const between = spotted.count;
          tellGrams(from, size, spotted);
          if (first < between && between < spotted.count) inOrder(spotted, first);
        }
      }
    },
  };
}

function hasBit(bits: Uint8Array, hash: number): boolean {
  return (bits[hash >>> 19]! & (1 << ((hash >>> 16) & 7))) !== 0;
}

function beginning(first: number, second: number, third: number): number {
  return (CODE[first]! * CODES + CODE[second]!) * CODES + CODE[third]!;
}

function ending(last: number, afterLast: number): number {
  return CODE[last]! * CODES + CODE[afterLast]!;
}

/** Words were told first, and grams after them. */
function inOrder({ keys, ends, count }: Spotted, first: number): void {
  const order = Array.from({ length: count - first }, (_, i) => first + i).sort((a, b) => ends[a]! - ends[b]!);
  const sortedKeys = order.map((i) => keys[i]!);
  const sortedEnds = order.map((i) => ends[i]!);
  keys.set(sortedKeys, first);
  ends.set(sortedEnds, first);
}

function longer(array: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(array.length * 2);
  more.set(array);
  return more;
}

interface Table {
  /** A bit for the upper half of each hash: most words end here. */
  readonly bits: Uint8Array;
  /** Whether the hash is new; if not, what has it keeps its number. */
  readonly add: (hash: number, number: number) => boolean;
  /** -1 when it is not there. */
  readonly find: (hash: number) => number;
}

/** Open addressing in one array: a Map would be a third of the whole pass. */
function createTable(): Table {
  const bits = new Uint8Array(65_536 / 8);
  let slots = new Int32Array(2 * 64).fill(-1);
  let size = 0;
  const slotOf = (hash: number): number => {
    const mask = slots.length / 2 - 1;
    let at = (hash >>> 8) & mask;
    while (slots[2 * at + 1] !== -1 && slots[2 * at] !== hash) at = (at + 1) & mask;
    return 2 * at;
  };
  const put = (hash: number, number: number): void => {
    const slot = slotOf(hash);
    slots[slot] = hash;
    slots[slot + 1] = number;
  };
  return {
    bits,
    add(hash, number) {
      if (slots[slotOf(hash) + 1] !== -1) return false;
      size += 1;
      if (size * 4 > slots.length) {
        const old = slots;
        slots = new Int32Array(old.length * 2).fill(-1);
        for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== -1) put(old[i]!, old[i + 1]!);
      }
      put(hash, number);
      bits[hash >>> 19]! |= 1 << ((hash >>> 16) & 7);
      return true;
    },
    find: (hash) => slots[slotOf(hash) + 1]!,
  };
}
