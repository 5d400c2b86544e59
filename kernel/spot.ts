/**
 * The pass of src/detect/glance/spotter.ts over the characters of a text, compiled to WebAssembly. Sixteen characters at a
 * time show where words are, and a word of up to eight letters is hashed from a single load, without waiting for one
 * letter after another. Each spotter has its own memory, and its creator writes the tables into it. The memory layout
 * is defined only here.
 */

/** Characters per block. */
export const BLOCK: i32 = 4096;
/**
 * Words up to this length are distinguished. Of a longer word that continues over blocks, this much is kept of either
 * end.
 */
export const LONGEST: i32 = 64;

/** The characters of the block. If the block is not full, zeroes must follow them up to the next multiple of 64. */
export const UNITS: usize = 1024;
/**
 * One byte per character of the block: a number for each letter or digit, 0 between words. The part of a word that is
 * in previous blocks is kept right before it.
 */
const LETTERS: usize = UNITS + 2 * BLOCK + 2 * LONGEST;
/** For each non-ASCII code unit its lowercase form, two bytes each; 0 for what stands between words. */
export const SMALLS: usize = 16384;
/** What was spotted: the value of the key, the index after its last character, and the index of its word. */
export const KEYS: usize = SMALLS + 2 * 65536;
/**
 * A non-ASCII character can end up to four keys. A letter can begin one and end one, and so can each letter kept of a
 * word that continues.
 */
const MOST_TOLD: usize = 4 * BLOCK + 4 * LONGEST;
export const ENDS: usize = KEYS + 4 * MOST_TOLD;
export const PLACES: usize = ENDS + 4 * MOST_TOLD;
/** Where each run of characters between words has its third one. Pictures are in no such run. */
export const THIRDS: usize = PLACES + 4 * MOST_TOLD;
/** One bit filter per table, indexed by the upper 18 bits of a hash. */
export const BITS: usize = THIRDS + BLOCK;
const BITS_BYTES: usize = 32768;
const WORD: usize = BITS;
const PREFIX: usize = BITS + BITS_BYTES;
const SUFFIX: usize = BITS + 2 * BITS_BYTES;
const PAIR: usize = BITS + 3 * BITS_BYTES;
const GRAM: usize = BITS + 4 * BITS_BYTES;
/**
 * Filters for the first letters of the prefixes and the last letters of the suffixes: most words begin and end with
 * others.
 */
const BEGIN: usize = BITS + 5 * BITS_BYTES;
const END: usize = BITS + 6 * BITS_BYTES;
/**
 * A cache of recently met words of up to eight letters. An entry has all letters of the word, so that no other word is
 * taken for it; the value of its key, or NOTHING, or SEVERAL if it has more than one; and whether that key is only a
 * part of the word. Texts repeat the same words again and again, and each uncached word needs seven filter lookups, all
 * of them far apart in memory.
 */
const MET: usize = BITS + 7 * BITS_BYTES;
const MOST_MET: u32 = 2048;
/** For each table, in the order above, the address of its slots and the number of slots minus one. */
export const TABLES: usize = MET + 16 * MOST_MET;
export const SLOTS: usize = TABLES + 64;

const NOTHING: i32 = -1;
const SEVERAL: i32 = -2;

const STEP: i64 = 0x4f2162926e40c299;
const OF_PAIR: i32 = 0x6c8e9cf5;
const OF_GRAM: i32 = 0x2c1b3c6d;
const STEP_OF_GRAM: i32 = 0x297a2d39;
/** The hash of every word that is longer than any key. */
const TOO_LONG: i32 = 0x5bd1e995;

let longestPrefix: i32 = 0;
let longestSuffix: i32 = 0;
let leastPrefix: i32 = 0;
let leastSuffix: i32 = 0;

// State carried from block to block: how many characters of an unfinished word come before the block; the hash of the
// previous word, and how many words there were; and the last adjacent non-ASCII characters.
let open: i32 = 0;
let before: i32 = 0;
let passed: i32 = 0;
let wide: i32 = 0;
let one: i32 = 0;
let two: i32 = 0;
let three: i32 = 0;
let four: i32 = 0;
let five: i32 = 0;
let told: i32 = 0;
/** The characters between words among the last 64, one bit each, and which of them come third or later in their run. */
let lastBetween: u64 = 0;
let lastThirds: u64 = 0;
let runs: i32 = 0;

/** Sets the range of lengths of the prefixes and suffixes among the keys. */
export function parts(fromPrefix: i32, toPrefix: i32, fromSuffix: i32, toSuffix: i32): void {
  leastPrefix = fromPrefix;
  longestPrefix = toPrefix;
  leastSuffix = fromSuffix;
  longestSuffix = toSuffix;
}

/** To be called before the first block of a text. */
export function start(): void {
  open = before = passed = wide = 0;
  lastBetween = lastThirds = 0;
}

/** The number of runs with their third character in the block that was read last. */
export function runsOfBlock(): i32 {
  return runs;
}

function mixed(letters: i64): i32 {
  const product = letters * STEP;
  return i32(product ^ (product >>> 32));
}

/** The hash of `length` letters from `at` on. Up to eight letters are in the upper end of one number. */
function hash(at: usize, length: i32): i32 {
  if (length <= 8) return mixed(load<i64>(at) << i64(64 - 8 * length));
  if (length > LONGEST) return TOO_LONG;
  let sum: i64 = length;
  const last = at + length - 8;
  for (; at < last; at += 8) {
    sum = (sum ^ load<i64>(at)) * STEP;
    sum ^= sum >>> 29;
  }
  return mixed(sum ^ load<i64>(last));
}

/** The hash of a key of `length` characters, which the caller writes to the place of the block. */
export function hashOf(length: i32): i32 {
  classify(length);
  return hash(LETTERS, length);
}

export function hashOfPair(first: i32, second: i32): i32 {
  return ((first ^ (second >>> 15)) * OF_PAIR) ^ second;
}

/** Hashes from the last character to the first, the order in which `gram` meets them, looking back from the end. */
export function hashOfGram(length: i32): i32 {
  let sum = OF_GRAM;
  for (let i = length - 1; i >= 0; i--) sum = (sum + small(load<u16>(UNITS + (usize(i) << 1)))) * STEP_OF_GRAM;
  return sum;
}

function small(unit: u16): i32 {
  return load<u16>(SMALLS + (usize(unit) << 1));
}

function bitOf(bits: usize, hash: i32): i32 {
  return (i32(load<u8>(bits + (u32(hash) >>> 17))) >>> ((hash >>> 14) & 7)) & 1;
}

/**
 * Looks up a hash in a table and reports the key, if there is one. A slot is two numbers: the hash, and the value of
 * the key or -1 for a free slot.
 */
function tell(table: i32, hash: i32, end: i32, place: i32): void {
  const slots = load<u32>(TABLES + (usize(table) << 3));
  const mask = load<u32>(TABLES + (usize(table) << 3) + 4);
  let at = (u32(hash) >>> 8) & mask;
  let slot: usize = slots + (at << 3);
  let key = load<i32>(slot + 4);
  while (key != -1 && load<i32>(slot) != hash) {
    at = (at + 1) & mask;
    slot = slots + (at << 3);
    key = load<i32>(slot + 4);
  }
  if (key != -1) put(key, end, place);
}

function put(key: i32, end: i32, place: i32): void {
  const to = usize(told) << 2;
  store<i32>(KEYS + to, key);
  store<i32>(ENDS + to, end);
  store<i32>(PLACES + to, place);
  told += 1;
}

function word(from: i32, to: i32, place: i32): void {
  const length = to - from;
  const first = LETTERS + usize(from);
  if (length > 8) {
    const whole = hash(first, length);
    const both = hashOfPair(before, whole);
    before = whole;
    if (bitOf(WORD, whole)) tell(0, whole, to, place);
    if (bitOf(PAIR, both)) tell(3, both, to, place);
    partsOf(first, length, to, place);
    return;
  }
  const letters = load<i64>(first) << i64(64 - 8 * length);
  const whole = mixed(letters);
  const both = hashOfPair(before, whole);
  before = whole;
  const met = MET + (usize(u32(whole) & (MOST_MET - 1)) << 4);
  const isMet = load<i64>(met) == letters;
  const known = load<i32>(met + 8);
  if (isMet && known != SEVERAL) {
    const isPart = load<i32>(met + 12);
    if (known != NOTHING && isPart == 0) put(known, to, place);
    if (bitOf(PAIR, both)) tell(3, both, to, place);
    if (known != NOTHING && isPart != 0) put(known, to, place);
    return;
  }
  const atFirst = told;
  if (bitOf(WORD, whole)) tell(0, whole, to, place);
  const ofWord = told;
  if (bitOf(PAIR, both)) tell(3, both, to, place);
  const ofPair = told;
  partsOf(first, length, to, place);
  if (isMet) return;
  const ofParts = told - ofPair;
  const isPart = i32(ofWord == atFirst);
  store<i64>(met, letters);
  if (ofParts + 1 - isPart > 1) store<i32>(met + 8, SEVERAL);
  else if (isPart == 0) store<i32>(met + 8, load<i32>(KEYS + (usize(atFirst) << 2)));
  else store<i32>(met + 8, ofParts == 0 ? NOTHING : load<i32>(KEYS + (usize(ofPair) << 2)));
  store<i32>(met + 12, isPart);
}

/**
 * Looks up the beginnings and the ends of a word. All filters are read without branches in between, because each answer
 * is unpredictable. For a short word the loads contain letters of neighboring words, which is what `isLong` and
 * `isLonger` mask out.
 */
function partsOf(first: usize, length: i32, to: i32, place: i32): void {
  const end = first + usize(length);
  const head = load<i64>(first);
  const tail = load<i64>(end - 8);
  const isLonger = i32(length > 3);
  const isLong = i32(length > 2);
  const begins = (bitOf(BEGIN, mixed(head << 40)) & isLong) | (bitOf(BEGIN, mixed(head << 32)) & isLonger);
  const ends =
    bitOf(END, mixed((tail >>> 48) << 48)) |
    (bitOf(END, mixed((tail >>> 40) << 40)) & isLong) |
    (bitOf(END, mixed((tail >>> 32) << 32)) & isLonger);
  if (begins) {
    const most = min(length, longestPrefix);
    for (let size = leastPrefix; size <= most; size++) {
      const part = hash(first, size);
      if (bitOf(PREFIX, part)) tell(1, part, to, place);
    }
  }
  if (ends) {
    const most = min(length, longestSuffix);
    for (let size = leastSuffix; size <= most; size++) {
      const part = hash(end - usize(size), size);
      if (bitOf(SUFFIX, part)) tell(2, part, to, place);
    }
  }
}

/**
 * Whether a non-ASCII character stands between words. The second half of a surrogate pair does so where the first half
 * did.
 */
function isBetween(unit: i32): bool {
  return unit == 0 || (wide == 0 && (unit & 0xfc00) == 0xdc00);
}

/** A blank may match any number of joiners, so that they do not count as words. */
function isJoiner(unit: i32): bool {
  return (unit & 0xfffe) == 0x200c;
}

/** Whether the unit is a character and not half of a pair. Runs of pictures are not padding. */
function isWhole(at: i32): bool {
  return (load<u16>(UNITS + (usize(at) << 1)) & 0xf800) != 0xd800;
}

/** Looks up the last two, three, four and six adjacent non-ASCII characters that end at `at` with `unit`. */
function gram(unit: i32, at: i32, place: i32): void {
  wide += 1;
  if (wide > 1) {
    let sum = ((OF_GRAM + unit) * STEP_OF_GRAM + one) * STEP_OF_GRAM;
    if (bitOf(GRAM, sum)) tell(4, sum, at + 1, place);
    sum = (sum + two) * STEP_OF_GRAM;
    if (wide > 2 && bitOf(GRAM, sum)) tell(4, sum, at + 1, place);
    sum = (sum + three) * STEP_OF_GRAM;
    if (wide > 3 && bitOf(GRAM, sum)) tell(4, sum, at + 1, place);
    sum = ((sum + four) * STEP_OF_GRAM + five) * STEP_OF_GRAM;
    if (wide > 5 && bitOf(GRAM, sum)) tell(4, sum, at + 1, place);
  }
  five = four;
  four = three;
  three = two;
  two = one;
  one = unit;
}

/**
 * Classifies sixteen characters and writes their letters. Returns one bit for each that belongs to a word, and above
 * those sixteen bits one for each that is non-ASCII.
 */
function sixteen(at: usize): u32 {
  const units = UNITS + (at << 1);
  const most = i16x8.splat(0x80);
  const bytes = i8x16.narrow_i16x8_u(i16x8.min_u(v128.load(units), most), i16x8.min_u(v128.load(units, 16), most));
  const lower = v128.or(bytes, i8x16.splat(0x20));
  const isLetter = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26));
  const digit = i8x16.sub(bytes, i8x16.splat(0x30));
  const isDigit = i8x16.lt_u(digit, i8x16.splat(10));
  const letters = v128.or(
    v128.and(isLetter, v128.and(lower, i8x16.splat(0x1f))),
    v128.and(isDigit, i8x16.add(digit, i8x16.splat(28))),
  );
  v128.store(LETTERS + at, letters);
  return i8x16.bitmask(v128.or(isLetter, isDigit)) | (i8x16.bitmask(bytes) << 16);
}

/** Reports the runs that have their third character among 64, of which `between` are the bits outside of words. */
function thirds(between: u64, base: i32): void {
  const all = between & ((between << 1) | (lastBetween >>> 63)) & ((between << 2) | (lastBetween >>> 62));
  let firsts = all & ~((all << 1) | (lastThirds >>> 63));
  lastBetween = between;
  lastThirds = all;
  for (; firsts != 0; firsts &= firsts - 1) {
    store<i32>(THIRDS + (usize(runs) << 2), base + i32(ctz(firsts)));
    runs += 1;
  }
}

function classify(size: i32): void {
  for (let at = 0; at < size; at += 16) sixteen(at);
}

/**
 * Reads a block of `size` characters and returns how many keys were spotted. Their ends are counted from the start of
 * the block.
 */
export function spot(size: i32, isLast: i32): i32 {
  told = 0;
  runs = 0;
  let inWord = i32(open > 0);
  let from = -open;
  let places = passed;
  for (let base = 0; base < size; base += 64) {
    let words: u64 = 0;
    let wides: u64 = 0;
    for (let i = 0; i < 64; i += 16) {
      const both = sixteen(base + i);
      words |= u64(both & 0xffff) << u64(i);
      wides |= u64(both >>> 16) << u64(i);
    }
    // Bits at which a word begins or ends, alternating.
    let turns = words ^ ((words << 1) | u64(inWord));
    const left = size - base;
    let between = ~(words | wides) & (left < 64 ? (u64(1) << u64(left)) - 1 : u64.MAX_VALUE);
    if (wides == 0) {
      wide = 0;
      while (turns != 0) {
        const at = base + i32(ctz(turns));
        turns &= turns - 1;
        if (inWord) word(from, at, ++places);
        else from = at;
        inWord ^= 1;
      }
    } else {
      let read = -1;
      let events = turns | wides;
      while (events != 0) {
        const bit = i32(ctz(events));
        const at = base + bit;
        if ((turns >>> bit) & 1) {
          if (inWord) word(from, at, ++places);
          else from = at;
          inWord ^= 1;
        }
        if ((wides >>> bit) & 1) {
          if (bit != read + 1) wide = 0;
          read = bit;
          const unit = small(load<u16>(UNITS + (usize(at) << 1)));
          if (isBetween(unit)) {
            wide = 0;
            between |= u64(isWhole(at)) << u64(bit);
          } else {
            if (!isJoiner(unit)) places += 1;
            gram(unit, at, places);
          }
        }
        events &= events - 1;
      }
      if (read != 63) wide = 0;
    }
    thirds(between, base);
  }
  if (inWord && isLast) word(from, size, ++places);
  passed = places;
  open = inWord ? kept(from, size) : 0;
  return told;
}

/** Keeps the unfinished word before the next block, and returns how many characters were kept. */
function kept(from: i32, size: i32): i32 {
  const length = size - from;
  if (length > 2 * LONGEST) {
    memory.copy(LETTERS - 2 * LONGEST, LETTERS + usize(from), LONGEST);
    memory.copy(LETTERS - LONGEST, LETTERS + usize(size) - LONGEST, LONGEST);
    return 2 * LONGEST;
  }
  memory.copy(LETTERS - usize(length), LETTERS + usize(from), usize(length));
  return length;
}
