/**
 * The sums of src/likeness/score.ts, compiled to WebAssembly: turns words into numbers, one piece of text at a time,
 * and adds up what each word weighs by itself, after the words before it, and as a concept. The caller writes the byte
 * codes, the weights and the lexicon into this memory.
 */

/** The same constants as in src/likeness/words.ts. */
const STEM_LETTERS: i32 = 6;
const ONE_LETTER: i32 = 0x100;
const CONTINUES_WORD: i32 = 0x80000000;
const LETTERS: i32 = 0x9e3779b5;
const MAX_CONCEPT_DISTANCE: i32 = 6;
const REPEAT_DISTANCE: i32 = 64;
/** A window has four steps; each model says how many words a step has. A step is divided into four quarters. */
const STEPS_IN_WINDOW: i32 = 4;
let wordsInStep: i32 = 16;

/**
 * The results. For windows: the number of words, how many words the last step lacks, the sum of the last window, the
 * sum of the best window, and the word at which the best one ended. Then the same for short windows, which are one step
 * long and start at every quarter of a step: how many words the last quarter lacks, the sums of the last and the best
 * one, and where the best one ended.
 */
export const SUMS: usize = 0;
/** The code of each byte, as in src/likeness/words.ts. */
export const CODES: usize = 64;
/** The factors of the letters in a hash, eight numbers for each count of letters. */
const POWERS: usize = CODES + 4 * 256;
/** For each count of letters the total that their marks, ONE_LETTER and CONTINUES_WORD, add to a hash. */
const MARKS: usize = POWERS + 32 * 8;
const STEPS: usize = MARKS + 32;
const QUARTERS: usize = STEPS + 16;
/**
 * 65,536 entries of two bytes: the weight in the low byte, and in the high byte eight bits that tell whose weight it
 * is.
 */
export const SLOTS: usize = 4096;
/** A hash table of stems that stand for a concept, and the concept of each. */
export const PLACES: i32 = 8192;
export const STEMS: usize = SLOTS + 2 * 65536;
export const CONCEPTS: usize = STEMS + 4 * PLACES;
/**
 * A bit for each place that a key of the table has, and for one in thirty others: most words have no concept, and a
 * search for each of them took an eighth of the time.
 */
const MARKED: usize = CONCEPTS + PLACES;
const MARKED_BYTES: i32 = 8192;
const PIECE: i32 = 1024;
/** Hashes of characters after the end of a stem are written past the stems, where they are never read. */
const BEYOND: i32 = 2 * PIECE;
/**
 * The word index at which each slot's weight was last counted. Indexes run on over all texts, so that nothing has to be
 * reset. Entry 0 belongs to no slot.
 */
const LAST: usize = MARKED + MARKED_BYTES;
const WORDS: usize = LAST + 4 * (65536 + 1);
/**
 * The running word index over all texts. Between two texts it skips more than REPEAT_DISTANCE words, so that nothing
 * counts as said before.
 */
let wordIndex: i32 = REPEAT_DISTANCE + 1;
const MAX_WORD_INDEX: i32 = 1 << 30;
/** The text, which is modified, with 64 zeroes after it. It takes up the rest of the memory. */
export const BYTES: usize = WORDS + 4 * (BEYOND + PIECE + 16);

/** To be called once the byte codes and the lexicon have been written. */
export function prepare(words: i32): void {
  wordsInStep = words;
  for (let i = 0; i < PLACES; i++) {
    const key = load<i32>(STEMS + (usize(i) << 2));
    if (key == 0) continue;
    const place = placeOf(key);
    const at = MARKED + usize((place >>> 3) & (MARKED_BYTES - 1));
    store<u8>(at, load<u8>(at) | (1 << u8(place & 7)));
  }
  for (let count = 1; count <= STEM_LETTERS; count++) {
    let power = 1;
    let marks = 0;
    for (let i = count - 1; i >= 0; i--) {
      store<i32>(POWERS + 32 * usize(count) + 4 * usize(i), power);
      marks += power * (ONE_LETTER | CONTINUES_WORD);
      power *= LETTERS;
    }
    store<i32>(MARKS + 4 * usize(count), marks);
  }
}

function codeAt(at: usize): i32 {
  return load<i32>(CODES + (usize(load<u8>(at)) << 2));
}

/** The number that stands for a word of lowercase letters; for a longer word, the number of its stem. */
function stemOf(at: usize, length: i32): i32 {
  const count = min(length, STEM_LETTERS);
  const letters = i16x8.extend_low_i8x16_u(v128.load64_zero(at));
  const powers = POWERS + 32 * usize(count);
  const sums = i32x4.add(
    i32x4.mul(i32x4.extend_low_i16x8_u(letters), v128.load(powers)),
    i32x4.mul(i32x4.extend_high_i16x8_u(letters), v128.load(powers, 16)),
  );
  const pairs = i32x4.add(sums, i32x4.shuffle(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1) + load<i32>(MARKS + 4 * usize(count));
}

/**
 * Reads the words of an ASCII piece, sixteen bytes at a time, lowercasing the letters in place. Returns their number,
 * or -1 if the piece contains a non-ASCII byte.
 */
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
      // All digits become the same one.
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

/**
 * Reads the words of any piece, without branches. `goesOn` and `isOpen` are masks, all ones when the byte may continue
 * a word and when there is a word to continue.
 */
function read(from: usize, to: usize): i32 {
  let hash = 0;
  let letters = 0;
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = codeAt(at);
    const goesOn = code >> 31;
    const isOpen = -letters >> 31;
    count -= isOpen & ~goesOn;
    letters = (letters & goesOn) + ((code >>> 8) & 3);
    hash = hash * (LETTERS & goesOn & isOpen) + code;
    store<i32>(WORDS + (usize(count | (((STEM_LETTERS - letters) >> 31) & BEYOND)) << 2), hash);
  }
  return letters > 0 ? count + 1 : count;
}

function placeOf(key: i32): u32 {
  const mixed = (key ^ (key >>> 15)) * i32(0x85ebca6b);
  return u32(mixed ^ (mixed >>> 13)) >>> 8;
}

/**
 * The weight of a key; 0 if its slot holds the weight of another key, or if the weight was counted within the last
 * REPEAT_DISTANCE words. This uses masks instead of branches: neither outcome is predictable, and a misprediction is
 * expensive. For a slot of another key only entry 0 of LAST is read, since reading it for all keys would exceed the
 * nearest cache.
 */
function weightAt(place: u32, at: i32): i32 {
  const slot = place >>> 8;
  const entry = i32(load<u16>(SLOTS + (slot << 1)));
  const isOwn = (((entry >>> 8) ^ i32(place & 0xff)) - 1) >> 31;
  const last = LAST + (usize(i32(slot + 1) & isOwn) << 2);
  const isNew = (REPEAT_DISTANCE - (at - load<i32>(last))) >> 31;
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

/** Whether it is worth searching for a key of this place. */
function mayBeConcept(place: u32): bool {
  return ((load<u8>(MARKED + ((place >>> 3) & (MARKED_BYTES - 1))) >>> (place & 7)) & 1) != 0;
}

/** The concept of a stem, or of two in a row, with this key and place; 0 for none. */
function conceptOf(place: u32, key: i32): i32 {
  let look = place & (PLACES - 1);
  let there = load<i32>(STEMS + (look << 2));
  while (there != 0 && there != key) {
    look = (look + 1) & (PLACES - 1);
    there = load<i32>(STEMS + (look << 2));
  }
  return there == 0 ? 0 : i32(load<u8>(CONCEPTS + look));
}

/** Scores the `length` bytes of text in BYTES and writes the results to SUMS. */
export function score(length: i32): void {
  const step = wordsInStep;
  const window = STEPS_IN_WINDOW * step;
  if (wordIndex > MAX_WORD_INDEX) {
    memory.fill(LAST, 0, 4 * (65536 + 1));
    wordIndex = REPEAT_DISTANCE + 1;
  }
  const base = wordIndex;
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
    // A piece never ends inside a word.
    let to = min(at + PIECE, end);
    while (to < end && codeAt(to) < 0) to++;
    let count = readPlain(at, to);
    // Two words that are a concept together end in a letter beyond ASCII.
    const hasPairs = count < 0;
    if (hasPairs) count = read(at, to);
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
      const pair = pairKey(before, stem);
      const placeOfPair = placeOf(pair);
      let sum =
        weightAt(place, base + words) +
        weightAt(placeOfPair, base + words) +
        weightAt(placeOf(tripleKey(first, before, stem)), base + words);
      first = before;
      before = stem;
      let found = mayBeConcept(place) ? conceptOf(place, stem) : 0;
      // The key of a first word behind none is that of another word: of "ti", five letters on, for "td".
      if (hasPairs && first != 0 && found == 0 && mayBeConcept(placeOfPair)) found = conceptOf(placeOfPair, pair);
      if (found != 0) {
        if (words - conceptAt > MAX_CONCEPT_DISTANCE) concept = firstConcept = 0;
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
  wordIndex = base + words + REPEAT_DISTANCE + 1;
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
