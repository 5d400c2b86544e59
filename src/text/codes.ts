import type { Run } from './decoders/runs.ts';

/** A run of characters that codes are written in, with the code alphabets of which it holds a long enough run. */
export interface Code extends Run {
  /**
   * Bits of OF_HEX, OF_BASE32, OF_BASE32_LOWER and OF_BASE58: alphabets of which the run holds 16 characters side by
   * side.
   */
  readonly holds: number;
  /** The same for 24 characters side by side. */
  readonly holdsLong: number;
  readonly hasDigit: boolean;
}

/**
 * One byte per alphabet, so that one addition counts in all of them at once. The top bit of the lowest byte marks a
 * digit.
 */
const ONES = 0x01010101;
const SEVEN_BITS = 0x7f7f7f7f;
const SIXTEEN = 0x10101010;
const DIGIT = 0x80;
const MEMBERS = membersOf();

export const OF_HEX = 1 << 4;
export const OF_BASE32 = 1 << 12;
export const OF_BASE32_LOWER = 1 << 20;
export const OF_BASE58 = 1 << 28;

export function codeOf(units: Uint16Array, start: number, end: number): Code {
  let counts = 0;
  let reached = 0;
  let reachedMore = 0;
  let seen = 0;
  for (let at = start; at < end; at++) {
    const members = MEMBERS[units[at] as number] as number;
    // A counter that outgrows its seven bits starts again at 0; `reached` has recorded the threshold long before.
    counts = (counts + ONES) & members & SEVEN_BITS;
    reached |= counts;
    reachedMore |= counts & (counts << 1);
    seen |= members;
  }
  return { start, end, holds: reached & SIXTEEN, holdsLong: reachedMore & SIXTEEN, hasDigit: (seen & DIGIT) !== 0 };
}

function membersOf(): Int32Array {
  const table = new Int32Array(128);
  for (let unit = 0; unit < 128; unit++) {
    const char = String.fromCharCode(unit);
    table[unit] =
      (/[0-9A-Fa-f]/.test(char) ? 0x7f : 0) |
      (/[0-9]/.test(char) ? DIGIT : 0) |
      (/[0-9A-Z]/.test(char) ? 0x7f << 8 : 0) |
      (/[0-9a-z]/.test(char) ? 0x7f << 16 : 0) |
      (/[1-9A-HJ-NP-Za-km-z]/.test(char) ? 0x7f << 24 : 0);
  }
  return table;
}

/** Characters are checked in blocks of this size: text glued to a code must not hide that part of the run is one. */
const BLOCK = 24;

/**
 * Whether a run looks like base64: capitals, lowercase letters and digits alternate in it (about six times in ten
 * characters), which they hardly do in names. But text in capitals encodes to mostly capitals, and one short word
 * repeated over and over encodes to a little of both, so a high share of capitals counts as well. Of 800,000 pieces of
 * 15 to 400 bytes of all sorts of text, every base64 encoding passed this check.
 */
export function isMixedCode(units: Uint16Array, { start, end }: Run): boolean {
  for (let from = start; from + BLOCK <= end; from += BLOCK) if (takesTurns(units, from, from + BLOCK)) return true;
  return takesTurns(units, Math.max(start, end - BLOCK), end);
}

function takesTurns(units: Uint16Array, start: number, end: number): boolean {
  let turns = 0;
  let capitals = 0;
  let before = kindOf(units[start] as number);
  for (let i = start; i < end; i++) {
    const kind = kindOf(units[i] as number);
    if (kind === 1) capitals++;
    if (kind !== before) turns++;
    before = kind;
  }
  const length = end - start;
  return turns * 10 >= length * 3 || capitals * 10 >= length * 4 || (turns + capitals) * 10 >= length * 5;
}

function kindOf(unit: number): number {
  return unit < 0x3a ? 0 : unit < 0x5b ? 1 : 2;
}
