/**
 * The pass over every character behind src/text/fours.ts, compiled to WebAssembly. Characters are classified sixteen at
 * a time; for each kind, a mask of 64 bits (one per character) then shows which fours of characters are worth a second
 * look. The kinds of characters are written into this memory as a table by the caller.
 */

/** Most characters per call. Blanks must follow them up to the next multiple of 64. */
export const USUAL: i32 = 65536;
export const UNITS: usize = 1024;
/** The kinds of each code unit, two bytes each. */
export const KINDS: usize = UNITS + 2 * (USUAL + 64);
/** Positions of the symbols found. */
export const SIGNS: usize = KINDS + 2 * 65536;
/** Positions of the fours worth a second look, and the reasons. */
export const FOURS: usize = SIGNS + 2 * (USUAL + 64);
export const WHY: usize = FOURS + 2 * (USUAL / 4 + 16);

/** The kinds, as in src/text/runs-of-units.ts. */
const SIGN: i32 = 1;
const CODE: i32 = 2;
const SOLID: i32 = 4;
const NO_LOWER: i32 = 8;
const NUMERIC: i32 = 16;
const WORDY: i32 = 64;
const DASH_OR_DOT: i32 = 128;
const GAP: i32 = 8192;
/** As in src/text/fours.ts. */
const SPARSE: i32 = WORDY;
const GROUP: i32 = 1 << 14;

/**
 * Lookup tables, sixteen bytes for each kind. Entry `i` is for the bytes whose lower half is `i`: bit `j` is set if the
 * byte with upper half `j` is of that kind.
 */
const TABLES: usize = 0;
const OF_SIGN: usize = TABLES;
const OF_CODE: usize = TABLES + 16;
const OF_SOLID: usize = TABLES + 32;
const OF_NO_LOWER: usize = TABLES + 48;
const OF_NUMERIC: usize = TABLES + 64;
const OF_WORDY: usize = TABLES + 80;
const OF_SIGNAL: usize = TABLES + 96;
const OF_GAP: usize = TABLES + 112;

/** A bit for the first character of each four. */
const FIRSTS: u64 = 0x1111111111111111;

export let signs: i32 = 0;
export let fours: i32 = 0;

// State carried over from the previous 64 characters, as masks over their fours: `all...`: all four characters are of a
// kind; `long...`: so were the two fours before.
let allCode: u64 = 0;
let allSolid: u64 = 0;
let allNoLower: u64 = 0;
let allNumeric: u64 = 0;
let allGap: u64 = 0;
let longCode: u64 = 0;
let longSolid: u64 = 0;
let longNumeric: u64 = 0;
let longGap: u64 = 0;
let solid: u64 = 0;
let apart: u64 = 0;
let any: u64 = 0;
let gapEnds: u64 = 0;

function table(at: usize, kind: i32): void {
  for (let low = 0; low < 16; low++) {
    let uppers = 0;
    for (let upper = 0; upper < 8; upper++)
      if ((i32(load<u16>(KINDS + 2 * usize(16 * upper + low))) & kind) != 0) uppers |= 1 << upper;
    store<u8>(at + usize(low), u8(uppers));
  }
}

/** To be called once the kinds have been written. */
export function prepare(): void {
  table(OF_SIGN, SIGN);
  table(OF_CODE, CODE);
  table(OF_SOLID, SOLID);
  table(OF_NO_LOWER, NO_LOWER);
  table(OF_NUMERIC, NUMERIC);
  table(OF_WORDY, WORDY);
  table(OF_SIGNAL, DASH_OR_DOT);
  table(OF_GAP, GAP);
}

/** To be called before the first characters of a text. */
export function start(): void {
  allCode = allSolid = allNoLower = allNumeric = allGap = 0;
  longCode = longSolid = longNumeric = longGap = solid = apart = any = gapEnds = 0;
}

/** One bit for each of sixteen characters that is of a kind, shifted to its position among the 64. */
function maskOf(sort: usize, lower: v128, upper: v128, shift: u64): u64 {
  const isOne = i8x16.ne(v128.and(i8x16.swizzle(v128.load(sort), lower), upper), i8x16.splat(0));
  return u64(u32(i8x16.bitmask(isOne))) << shift;
}

/** The fours in which all characters are of a kind. */
function all(mask: u64): u64 {
  return mask & (mask >>> 1) & (mask >>> 2) & (mask >>> 3) & FIRSTS;
}

/**
 * A mask over the fours, shifted so that each four gets the bit of the four before it. `before` is the mask of the
 * previous 64 characters.
 */
function moved(mask: u64, before: u64): u64 {
  return (mask << 4) | (before >>> 60);
}

/** The fours that complete three in a row. */
function long(all: u64, before: u64): u64 {
  return all & moved(all, before) & ((all << 8) | (before >>> 56));
}

/** Classifies the first `size` characters in UNITS; fills SIGNS, FOURS and WHY. */
export function look(size: i32): void {
  signs = fours = 0;
  for (let base = 0; base < size; base += 64) {
    let sign: u64 = 0;
    let code: u64 = 0;
    let printed: u64 = 0;
    let noLower: u64 = 0;
    let numeric: u64 = 0;
    let wordy: u64 = 0;
    let signal: u64 = 0;
    let gap: u64 = 0;
    let wide: u64 = 0;
    const most = i16x8.splat(0x80);
    const powers = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
    for (let i = 0; i < 64; i += 16) {
      const units = UNITS + (usize(base + i) << 1);
      const bytes = i8x16.narrow_i16x8_u(i16x8.min_u(v128.load(units), most), i16x8.min_u(v128.load(units, 16), most));
      const lower = v128.and(bytes, i8x16.splat(15));
      const upper = i8x16.swizzle(powers, i8x16.shr_u(bytes, 4));
      const shift = u64(i);
      sign |= maskOf(OF_SIGN, lower, upper, shift);
      code |= maskOf(OF_CODE, lower, upper, shift);
      printed |= maskOf(OF_SOLID, lower, upper, shift);
      noLower |= maskOf(OF_NO_LOWER, lower, upper, shift);
      numeric |= maskOf(OF_NUMERIC, lower, upper, shift);
      wordy |= maskOf(OF_WORDY, lower, upper, shift);
      signal |= maskOf(OF_SIGNAL, lower, upper, shift);
      gap |= maskOf(OF_GAP, lower, upper, shift);
      wide |= u64(u32(i8x16.bitmask(bytes))) << shift;
    }
    if (wide != 0) {
      // All non-ASCII characters count as symbols; only few are of any other kind.
      sign |= wide;
      for (let left = wide; left != 0; left &= left - 1) {
        const bit = ctz(left);
        const kind = i32(load<u16>(KINDS + (usize(load<u16>(UNITS + (usize(base + i32(bit)) << 1))) << 1)));
        if ((kind & (NUMERIC | DASH_OR_DOT)) == 0) continue;
        if ((kind & NUMERIC) != 0) numeric |= u64(1) << bit;
        if ((kind & DASH_OR_DOT) != 0) signal |= u64(1) << bit;
      }
    }

    const codes = all(code);
    const solids = all(printed);
    const noLowers = all(noLower);
    const numerics = all(numeric);
    const gaps = all(gap);
    const longCodes = long(codes, allCode);
    const longSolids = long(solids, allSolid);
    const longNumerics = long(numerics, allNumeric);
    const longGaps = long(gaps, allGap);
    const nowSolid = longSolids & moved(longSolids, longSolid);
    const pairs = wordy & (wordy >>> 1);
    const aparts = ~(pairs | (pairs >>> 1) | (pairs >>> 2)) & FIRSTS;
    const some = wordy | signal;
    const anys = (some | (some >>> 1) | (some >>> 2) | (some >>> 3)) & FIRSTS;
    const ends = (gap >>> 3) & FIRSTS;

    const whyCode = longCodes & ~moved(longCodes, longCode);
    const whyNumeric = longNumerics & ~moved(longNumerics, longNumeric);
    const whyGap = longGaps & ~moved(longGaps, longGap);
    const whySolid = nowSolid & ~moved(nowSolid, solid);
    const whyNoLower = noLowers & ~moved(noLowers, allNoLower);
    const whySparse = aparts & moved(aparts, apart) & (anys | moved(anys, any));
    // One group of a code with a blank on each side of it.
    const whyGroup = gap & ((ends << 8) | (gapEnds >>> 56)) & moved(codes, allCode) & FIRSTS;

    const left = size - base;
    const valid = left >= 64 ? ~u64(0) : (u64(1) << u64(left)) - 1;
    for (let at = sign & valid; at != 0; at &= at - 1) {
      store<u16>(SIGNS + (usize(signs) << 1), u16(base + i32(ctz(at))));
      signs += 1;
    }
    const whys = (whyCode | whyNumeric | whyGap | whySolid | whyNoLower | whySparse | whyGroup) & valid;
    for (let at = whys; at != 0; at &= at - 1) {
      const bit = ctz(at);
      const why =
        (i32((whyCode >>> bit) & 1) * CODE) |
        (i32((whyNumeric >>> bit) & 1) * NUMERIC) |
        (i32((whyGap >>> bit) & 1) * GAP) |
        (i32((whySolid >>> bit) & 1) * SOLID) |
        (i32((whyNoLower >>> bit) & 1) * NO_LOWER) |
        (i32((whySparse >>> bit) & 1) * SPARSE) |
        (i32((whyGroup >>> bit) & 1) * GROUP);
      const to = usize(fours) << 1;
      store<u16>(FOURS + to, u16(base + i32(bit)));
      store<u16>(WHY + to, u16(why));
      fours += 1;
    }

    allCode = codes;
    allSolid = solids;
    allNoLower = noLowers;
    allNumeric = numerics;
    allGap = gaps;
    longCode = longCodes;
    longSolid = longSolids;
    longNumeric = longNumerics;
    longGap = longGaps;
    solid = nowSolid;
    apart = aparts;
    any = anys;
    gapEnds = ends;
  }
}
