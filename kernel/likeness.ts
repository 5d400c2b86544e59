/**
 * The sums of src/likeness/score.ts, as WebAssembly: words to numbers, a piece at a time, and of each word what it weighs by itself,
 * behind the words before it and as a concept. What a byte is, the weights and the lexicon were written here.
 */

/** As in src/likeness/words.ts. */
const STEM: i32 = 6;
const COUNTS: i32 = 0x100;
const GOES_ON: i32 = 0x80000000;
const LETTERS: i32 = 0x9e3779b5;
const REACH: i32 = 6;
const SAID: i32 = 64;
/** Steps of a window, and the words of a step, which the weights say; as many quarters has a step. */
const STEPS_IN_WINDOW: i32 = 4;
let wordsInStep: i32 = 16;

/**
 * What was come to: words, those the last step lacks, the sum of the last window, that of the best, and where it ended. Then of as
 * many words as a step has, one behind each quarter of a step, what is lacking of the last, the sums of the last and the best, and
 * where that ended.
 */
export const SUMS: usize = 0;
/** What each byte is to a word. */
export const CODES: usize = 64;
/** Of so many letters, what each is multiplied with; eight numbers for each count. */
const POWERS: usize = CODES + 4 * 256;
/** What the marks of letters come to, of so many. */
const MARKS: usize = POWERS + 32 * 8;
const STEPS: usize = MARKS + 32;
const QUARTERS: usize = STEPS + 16;
/** 65,536 of two bytes: a weight below, and above it eight bits that tell whose it is. */
export const SLOTS: usize = 4096;
/** Which stems stand for a concept, and for which. */
export const PLACES: i32 = 8192;
export const STEMS: usize = SLOTS + 2 * 65536;
export const CONCEPTS: usize = STEMS + 4 * PLACES;
const PIECE: i32 = 1024;
/** What follows the last character of a stem is put behind the stems, where nobody reads it. */
const BEYOND: i32 = 2 * PIECE;
/** Where each slot's weight was last told, counted over all texts, so that none has to be forgotten; the first is of no slot. */
const LAST: usize = CONCEPTS + PLACES;
const WORDS: usize = LAST + 4 * (65536 + 1);
/** Words of all texts so far, and as many between two texts as lie between what was said and what is new. */
let told: i32 = SAID + 1;
const MOST_TOLD: i32 = 1 << 30;
/** The text, which is changed, and behind it 64 zeroes. It has all the rest of the memory. */
export const BYTES: usize = WORDS + 4 * (BEYOND + PIECE + 16);

/** Once what a byte is has been written. */
export function prepare(words: i32): void {
  wordsInStep = words;
  for (let count = 1; count <= STEM; count++) {
    let power = 1;
    let marks = 0;
    for (let i = count - 1; i >= 0; i--) {
      store<i32>(POWERS + 32 * usize(count) + 4 * usize(i), power);
      marks += power * (COUNTS | GOES_ON);
      power *= LETTERS;
    }
    store<i32>(MARKS + 4 * usize(count), marks);
  }
}

function codeAt(at: usize): i32 {
  return load<i32>(CODES + (usize(load<u8>(at)) << 2));
}

/** Of so many small letters, the number that stands for the word; of longer ones, for their stem. */
function stemOf(at: usize, length: i32): i32 {
  const count = min(length, STEM);
  const letters = i16x8.extend_low_i8x16_u(v128.load64_zero(at));
  const powers = POWERS + 32 * usize(count);
  const sums = i32x4.add(
    i32x4.mul(i32x4.extend_low_i16x8_u(letters), v128.load(powers)),
    i32x4.mul(i32x4.extend_high_i16x8_u(letters), v128.load(powers, 16)),
  );
  const pairs = i32x4.add(sums, i32x4.shuffle(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1) + load<i32>(MARKS + 4 * usize(count));
}

/** The words of a piece in ASCII, sixteen bytes at a time, of which the letters become small ones. -1 when it holds anything else. */
function readPlain(from: usize, to: usize): i32 {
  let count = 0;
  let inWord: u64 = 0;
  let start = from;
  for (let base = from; base < to; base += 64) {
    let words: u64 = 0;
    for (let i: usize = 0; i < 64; i += 16) {
      const bytes = v128.load(base + i);
      if (v128.any_true(i8x16.lt_s(bytes, i8x16.splat(0)))) return -1;
      const lower = v128.or(bytes, i8x16.splat(0x20));
      const isLetter = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(0x61)), i8x16.splat(26));
      const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
      // One digit for all.
      const folded = v128.bitselect(lower, v128.bitselect(i8x16.splat(0x30), bytes, isDigit), isLetter);
      v128.store(base + i, folded);
      words |= u64(u32(i8x16.bitmask(v128.or(isLetter, isDigit)))) << u64(i);
    }
    const left = to - base;
    if (left < 64) words &= (u64(1) << u64(left)) - 1;
    for (let turns = words ^ ((words << 1) | inWord); turns != 0; turns &= turns - 1) {
      const at = base + usize(ctz(turns));
      if (inWord != 0) {
        store<i32>(WORDS + (usize(count) << 2), stemOf(start, i32(at - start)));
        count += 1;
      } else start = at;
      inWord ^= 1;
    }
    inWord = left < 64 ? inWord : words >>> 63;
  }
  if (inWord != 0) {
    store<i32>(WORDS + (usize(count) << 2), stemOf(start, i32(to - start)));
    count += 1;
  }
  return count;
}

/** Those of any piece. Masks: all ones when the byte may go on with a word, and when there is one to go on with. */
function read(from: usize, to: usize): i32 {
  let hash = 0;
  let characters = 0;
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = codeAt(at);
    const goesOn = code >> 31;
    const isOpen = -characters >> 31;
    count -= isOpen & ~goesOn;
    characters = (characters & goesOn) + ((code >>> 8) & 1);
    hash = hash * (LETTERS & goesOn & isOpen) + code;
    store<i32>(WORDS + (usize(count | (((STEM - characters) >> 31) & BEYOND)) << 2), hash);
  }
  return characters > 0 ? count + 1 : count;
}

function placeOf(key: i32): u32 {
  const mixed = (key ^ (key >>> 15)) * i32(0x85ebca6b);
  return u32(mixed ^ (mixed >>> 13)) >>> 8;
}

/**
 * 0 when the slot holds another key's weight, or was told lately; by masks, since neither can be foreseen and a wrong guess is dear.
 * Of another's slot nothing is looked up: all of them would not stay in the nearest memory.
 */
function weightAt(place: u32, at: i32): i32 {
  const slot = place >>> 8;
  const entry = i32(load<u16>(SLOTS + (slot << 1)));
  const isOwn = (((entry >>> 8) ^ i32(place & 0xff)) - 1) >> 31;
  const last = LAST + (usize(i32(slot + 1) & isOwn) << 2);
  const isNew = (SAID - (at - load<i32>(last))) >> 31;
  store<i32>(last, at);
  return ((entry << 24) >> 24) & isOwn & isNew;
}

function pairKey(before: i32, stem: i32): i32 {
  return before * 0x2c1b3c6d + stem + 5;
}

function tripleKey(first: i32, before: i32, stem: i32): i32 {
  return (first * 0x297a2d39 + before) * 0x2c1b3c6d + stem + 7;
}

function conceptKey(first: i32, before: i32, concept: i32): i32 {
  return (first * 4096 + before * 64 + concept) * 0x51ed2701 + 0x2545;
}

export function score(length: i32): void {
  const step = wordsInStep;
  const window = STEPS_IN_WINDOW * step;
  if (told > MOST_TOLD) {
    memory.fill(LAST, 0, 4 * (65536 + 1));
    told = SAID + 1;
  }
  const base = told;
  let first = 0;
  let before = 0;
  let concept = 0;
  let firstConcept = 0;
  let conceptAt = -1000;
  let words = 0;
  let inStep = 0;
  let block: usize = STEPS_IN_WINDOW - 1;
  let inWindow = 0;
  let best = -2000000000;
  let bestEnd = 0;
  const quarter = step >> 2;
  let inQuarter = 0;
  let part: usize = STEPS_IN_WINDOW - 1;
  let inShort = 0;
  let bestShort = -2000000000;
  let bestShortEnd = 0;
  v128.store(STEPS, i32x4.splat(0));
  v128.store(QUARTERS, i32x4.splat(0));
  const end = BYTES + usize(length);
  for (let at = BYTES; at < end;) {
    // No word goes on behind a piece.
    let to = min(at + PIECE, end);
    while (to < end && codeAt(to) < 0) to++;
    let count = readPlain(at, to);
    if (count < 0) count = read(at, to);
    at = to;
    for (let i = 0; i < count; i++) {
      const stem = load<i32>(WORDS + (usize(i) << 2));
      if (inStep == 0) {
        inStep = step;
        block = (block + 1) & (STEPS_IN_WINDOW - 1);
        // The oldest step leaves the window, which was full before this word.
        if (words >= window && inWindow > best) {
          best = inWindow;
          bestEnd = words;
        }
        inWindow -= load<i32>(STEPS + (block << 2));
        store<i32>(STEPS + (block << 2), 0);
      }
      inStep -= 1;
      if (inQuarter == 0) {
        inQuarter = quarter;
        part = (part + 1) & (STEPS_IN_WINDOW - 1);
        if (words >= step && inShort > bestShort) {
          bestShort = inShort;
          bestShortEnd = words;
        }
        inShort -= load<i32>(QUARTERS + (part << 2));
        store<i32>(QUARTERS + (part << 2), 0);
      }
      inQuarter -= 1;
      const place = placeOf(stem);
      let sum =
        weightAt(place, base + words) +
        weightAt(placeOf(pairKey(before, stem)), base + words) +
        weightAt(placeOf(tripleKey(first, before, stem)), base + words);
      first = before;
      before = stem;
      let look = place & (PLACES - 1);
      let there = load<i32>(STEMS + (look << 2));
      while (there != 0 && there != stem) {
        look = (look + 1) & (PLACES - 1);
        there = load<i32>(STEMS + (look << 2));
      }
      if (there != 0) {
        const found = i32(load<u8>(CONCEPTS + look));
        if (words - conceptAt > REACH) concept = firstConcept = 0;
        conceptAt = words;
        if (found != concept) {
          sum += weightAt(placeOf(conceptKey(0, 0, found)), base + words);
          if (concept != 0) sum += weightAt(placeOf(conceptKey(0, concept, found)), base + words);
          if (firstConcept != 0) sum += weightAt(placeOf(conceptKey(firstConcept, concept, found)), base + words);
          firstConcept = concept;
          concept = found;
        }
      }
      inWindow += sum;
      store<i32>(STEPS + (block << 2), load<i32>(STEPS + (block << 2)) + sum);
      inShort += sum;
      store<i32>(QUARTERS + (part << 2), load<i32>(QUARTERS + (part << 2)) + sum);
      words += 1;
    }
  }
  told = base + words + SAID + 1;
  store<i32>(SUMS, words);
  store<i32>(SUMS + 4, inStep);
  store<i32>(SUMS + 8, inWindow);
  store<i32>(SUMS + 12, best);
  store<i32>(SUMS + 16, bestEnd);
  store<i32>(SUMS + 20, inQuarter);
  store<i32>(SUMS + 24, inShort);
  store<i32>(SUMS + 28, bestShort);
  store<i32>(SUMS + 32, bestShortEnd);
}
