/**
 * The loops of src/text/framed-words.ts, compiled to WebAssembly: the words of a stretch of text, the weights of those
 * that are sought, and which of them belong to a frame. The classes of characters are written into this memory as a
 * table by the caller. The results are parallel arrays with one entry per word.
 */

/** Most words and most characters per call, which bounds the memory. */
export const MOST: i32 = 8192;
export const USUAL: i32 = 65536;

/** The class of each code unit, one byte each. */
export const CLASSES: usize = 1024;
export const UNITS: usize = CLASSES + 65536;
/** For each word: where it begins and ends, its hash, its flags, and its weight. */
export const STARTS: usize = UNITS + 2 * (USUAL + 64);
export const ENDS: usize = STARTS + 4 * MOST;
export const HASHES: usize = ENDS + 4 * MOST;
/** For each word the index of the previous word with the same hash within REACH; -1 if there is none. */
const BEFORE: usize = HASHES + 4 * MOST;
export const FLAGS: usize = BEFORE + 4 * MOST;
export const WEIGHTS: usize = FLAGS + MOST;
/** The index of the last word in each hash slot. */
const LAST: usize = WEIGHTS + MOST;
const SLOTS: i32 = 4096;
/** A hash table of the sought words: their hashes and their weights. */
const SOUGHT: usize = LAST + 4 * SLOTS;
const ROOM: i32 = 4096;
const WEIGHS: usize = SOUGHT + 4 * ROOM;

/**
 * Words of the same frame come back within this many words: records of issues and pages have a hundred names in each.
 */
const REACH: i32 = 160;
/** A longer word is not a word, and a field contains no wider gap. */
const LONGEST_WORD: i32 = 64;
const WIDEST_GAP: i32 = 8;

/** As in src/text/framed-words.ts. */
const WORD: i32 = 1;
const DIGIT: i32 = 2;
const POINT: i32 = 4;
const SIGN: i32 = 8;
const COMMA: i32 = 0x2c;
const LINE_END: i32 = 0x0a;
const COMES_BACK: i32 = 1;
const CUT: i32 = 2;
const OF_FRAME: i32 = 4;
const LINE: i32 = 8;

/** The common hash of all numbers and of every word with a digit in it. */
const NUMBER: i32 = 1;
const LOWER: i32 = 0x200020;

export let words: i32 = 0;
export let weight: i32 = 0;

function unitAt(at: i32): i32 {
  return load<u16>(UNITS + (usize(at) << 1));
}

function kindAt(at: i32): i32 {
  return load<u8>(CLASSES + usize(unitAt(at)));
}

function flagsOf(word: i32): i32 {
  return load<u8>(FLAGS + usize(word));
}

function hashAt(word: i32): i32 {
  return load<i32>(HASHES + (usize(word) << 2));
}

function flag(word: i32, as: i32): void {
  store<u8>(FLAGS + usize(word), flagsOf(word) | as);
}

/**
 * A hash of the first and last two characters, the middle one and the length. Few different words have all of these in
 * common; those may be taken for each other.
 */
function hashOf(start: i32, end: i32): i32 {
  const size = end - start;
  const first = (unitAt(start) << 16) | unitAt(end - 1);
  const second = size < 3 ? 0 : (unitAt(start + 1) << 16) | unitAt(end - 2);
  const outer = ((first | LOWER) * 0x01000193) ^ ((second | LOWER) * 0x2c1b3c6d);
  const mixed = outer ^ (((unitAt(start + (size >> 1)) | 0x20) + (size << 8)) * 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) * 0x2c1b3c6d;
}

/** The slot where a hash is in the table of sought words, or where it would be inserted. */
function slotOf(hash: i32): usize {
  let slot = hash & (ROOM - 1);
  while (true) {
    const there = load<i32>(SOUGHT + (usize(slot) << 2));
    if (there == 0 || there == hash) return usize(slot);
    slot = (slot + 1) & (ROOM - 1);
  }
}

/** Adds the word at the beginning of UNITS to the sought words. */
export function seek(length: i32, weighs: i32): void {
  const hash = hashOf(0, length);
  const slot = slotOf(hash);
  store<i32>(SOUGHT + (slot << 2), hash);
  store<u8>(WEIGHS + slot, weighs);
}

/**
 * The flags for the text between two words. Between words of one sentence there are only blanks and at most one
 * punctuation mark, which may also be at the start of a line. A comma without a blank separates columns.
 */
function between(from: i32, to: i32): i32 {
  if (to - from == 1) {
    const unit = unitAt(from);
    return unit == LINE_END ? LINE : kindAt(from) == SIGN || unit == COMMA ? CUT : 0;
  }
  let points = to - from > WIDEST_GAP ? 2 : 0;
  let line = 0;
  for (let at = from; at < to; at++) {
    const kind = kindAt(at);
    if (unitAt(at) == LINE_END) line = LINE;
    else if (kind == SIGN) points = 2;
    else if (kind == POINT) points++;
  }
  return points > 1 ? line | CUT : line;
}

/** A mask with the bits `from` to `to` - 1 set, both within 64. */
function bits(from: i32, to: i32): u64 {
  const upTo = to == 64 ? ~u64(0) : (u64(1) << u64(to)) - 1;
  return upTo & (~u64(0) << u64(from));
}

/**
 * Reads the words of the first `size` characters, and returns up to where there was room for them. `goesOn`: more text
 * follows, so a word at the end may be incomplete. Zeroes must follow the characters up to the next multiple of 64.
 */
export function read(size: i32, goesOn: i32): i32 {
  words = weight = 0;
  let flags = CUT | LINE;
  let inWord: u64 = 0;
  let start = 0;
  let hadDigit = false;
  const most = i16x8.splat(0x80);
  for (let base = 0; base < size; base += 64) {
    let letters: u64 = 0;
    let digits: u64 = 0;
    let wides: u64 = 0;
    for (let i = 0; i < 64; i += 16) {
      const units = UNITS + (usize(base + i) << 1);
      const bytes = i8x16.narrow_i16x8_u(i16x8.min_u(v128.load(units), most), i16x8.min_u(v128.load(units, 16), most));
      const lower = v128.or(bytes, i8x16.splat(0x20));
      const isLetter = v128.or(
        i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26)),
        i8x16.eq(bytes, i8x16.splat(0x5f)),
      );
      const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
      letters |= u64(u32(i8x16.bitmask(isLetter))) << u64(i);
      digits |= u64(u32(i8x16.bitmask(isDigit))) << u64(i);
      wides |= u64(u32(i8x16.bitmask(bytes))) << u64(i);
    }
    for (; wides != 0; wides &= wides - 1) {
      const kind = kindAt(base + i32(ctz(wides)));
      if (kind == WORD) letters |= wides & -wides;
      else if (kind == DIGIT) digits |= wides & -wides;
    }
    const inWords = letters | digits;
    // Bits at which a word begins or ends, alternating.
    for (let turns = inWords ^ ((inWords << 1) | inWord); turns != 0; turns &= turns - 1) {
      const at = base + i32(ctz(turns));
      if (inWord == 0) {
        if (at > start) flags |= between(start, at);
        hadDigit = false;
      } else if (at - start > LONGEST_WORD) flags |= CUT;
      else {
        if (words == MOST || (goesOn != 0 && at == size)) return start;
        tell(start, at, hadDigit || (digits & bits(max(start - base, 0), at - base)) != 0, flags);
        flags = 0;
      }
      start = at;
      inWord ^= 1;
    }
    if (inWord != 0 && (digits & bits(max(start - base, 0), 64)) != 0) hadDigit = true;
  }
  if (inWord == 0 || size - start > LONGEST_WORD) return size;
  if (words == MOST || goesOn != 0) return start;
  tell(start, size, hadDigit, flags);
  return size;
}

function tell(start: i32, end: i32, isNumber: bool, flags: i32): void {
  let hash = NUMBER;
  let weighs = 0;
  if (!isNumber) {
    hash = hashOf(start, end);
    const slot = slotOf(hash);
    if (load<i32>(SOUGHT + (slot << 2)) == hash) weighs = load<u8>(WEIGHS + slot);
    weight += weighs;
  }
  const to = usize(words) << 2;
  store<i32>(STARTS + to, start);
  store<i32>(ENDS + to, end);
  store<i32>(HASHES + to, hash);
  store<u8>(FLAGS + usize(words), flags);
  store<u8>(WEIGHTS + usize(words), weighs);
  words += 1;
}

/**
 * A hash of the characters right before and after a word. A frame word has the same neighbors in every row. Without
 * this, a single letter at the edge of a field could be taken for a frame word that is the same letter.
 */
function besideOf(word: i32, size: i32): i32 {
  const start = load<i32>(STARTS + (usize(word) << 2));
  const end = load<i32>(ENDS + (usize(word) << 2));
  const before = start > 0 ? unitAt(start - 1) : 0;
  const after = end < size ? unitAt(end) : 0;
  return ((before << 16) | after) * 0x27d4eb2f;
}

/** Flags the words that come back: those that occur at least three times, each within REACH of the one before. */
function findRepeats(size: i32): void {
  memory.fill(LAST, 0xff, 4 * SLOTS);
  for (let word = 0; word < words; word++) {
    let hash = hashAt(word);
    if (hash != NUMBER) {
      hash ^= besideOf(word, size);
      store<i32>(HASHES + (usize(word) << 2), hash);
    }
    const slot = LAST + (usize((hash ^ (hash >>> 15)) & (SLOTS - 1)) << 2);
    const last = load<i32>(slot);
    store<i32>(slot, word);
    store<i32>(BEFORE + (usize(word) << 2), -1);
    if (last < 0 || word - last > REACH || hashAt(last) != hash) continue;
    store<i32>(BEFORE + (usize(word) << 2), last);
    const before = load<i32>(BEFORE + (usize(last) << 2));
    if (before < 0) continue;
    flag(before, COMES_BACK);
    flag(last, COMES_BACK);
    flag(word, COMES_BACK);
  }
}

function isOfFrame(word: i32): bool {
  return word >= 0 && (flagsOf(word) & OF_FRAME) != 0;
}

/**
 * A word that comes back belongs to the frame if it is a number, is next to something that no sentence contains, or is
 * next to a word of the frame.
 */
function findFrame(): void {
  for (let i = 0; i < words; i++) {
    if ((flagsOf(i) & COMES_BACK) == 0) continue;
    const isCut = (flagsOf(i) & (CUT | LINE)) != 0 || i + 1 == words || (flagsOf(i + 1) & CUT) != 0;
    if (isCut || hashAt(i) == NUMBER || isOfFrame(i - 1)) flag(i, OF_FRAME);
  }
  for (let i = words - 2; i >= 0; i--) if ((flagsOf(i) & COMES_BACK) != 0 && isOfFrame(i + 1)) flag(i, OF_FRAME);
}

/** Finds the frame among the words that `read` found. */
export function frame(size: i32): void {
  findRepeats(size);
  findFrame();
}
