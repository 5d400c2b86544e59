import { scriptOf } from './bytes.ts';
import type { Sextets } from './sextets.ts';

/**
 * Whether a run of base64 certainly does not decode to text, judged from a few of its bytes. `couldBeText` would say no
 * as well, but only after everything was decoded. Nearly everything that looks like base64 is a digest, a key or a
 * path, and is ruled out here.
 */

/** The same as in `textOf`: a printable stretch of this length counts as text in the middle of anything. */
const STRETCH = 16;
/**
 * Shorter data is never taken for UTF-16 of non-ASCII letters, nor is data with more different high bytes than
 * MOST_HIGH.
 */
const LEAST_WIDE = 24;
const MOST_HIGH = 4;
/** Bytes to skip at the start: text may begin in the middle of a character. */
const MOST_CUT = 3;

/** Checks the digits from `from` to `to`, `to` excluded; backwards if `to` is smaller. */
export function isHopeless(units: Uint16Array, from: number, to: number, values: Sextets): boolean {
  const step = from <= to ? 1 : -1;
  const digits = (to - from) * step;
  const length = Math.floor((digits * 6) / 8);
  let wide = 0;
  let zeroes = 0;
  for (let i = 0, at = from; i + 4 <= digits; i += 4) {
    const first = values[units[at] as number] as number;
    const second = values[units[at + step] as number] as number;
    const third = values[units[at + 2 * step] as number] as number;
    const fourth = values[units[at + 3 * step] as number] as number;
    at += 4 * step;
    // Counts the bytes whose top bit is set, and the digits that are zero.
    wide += (first >> 5) + ((second >> 3) & 1) + ((third >> 1) & 1);
    zeroes += ((first - 1) >>> 31) + ((second - 1) >>> 31) + ((third - 1) >>> 31) + ((fourth - 1) >>> 31);
  }
  for (let i = digits - (digits % 4); i < digits; i++) if (values[units[from + i * step] as number] === 0) zeroes++;
  // In UTF-16 of ASCII every other byte is zero. Except for the middle byte of each three, a zero byte makes one digit
  // zero.
  if (wide * 8 <= length || zeroes >= (length - 1) / 2 - Math.floor((length + 1) / 3)) return false;
  const bytes: Bytes = { units, from, step, values, length };
  return !couldBeUtf8(bytes) && !couldBeWide(bytes) && !holdsStretch(bytes);
}

interface Bytes {
  readonly units: Uint16Array;
  readonly from: number;
  readonly step: number;
  readonly values: Sextets;
  readonly length: number;
}

function byteAt({ units, from, step, values }: Bytes, at: number): number {
  const digit = Math.floor((at * 4) / 3);
  const first = values[units[from + step * digit] as number] as number;
  const second = values[units[from + step * (digit + 1)] as number] as number;
  return (((first << 6) | second) >> (4 - 2 * (at % 3))) & 0xff;
}

function couldBeUtf8(bytes: Bytes): boolean {
  let at = 0;
  while (at < MOST_CUT && (byteAt(bytes, at) & 0xc0) === 0x80) at++;
  while (at < bytes.length) {
    const byte = byteAt(bytes, at);
    const more = byte < 0x80 ? 0 : byte < 0xc2 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : -1;
    if (more < 0) return false;
    if (at + more >= bytes.length) return true;
    for (let i = 1; i <= more; i++) if ((byteAt(bytes, at + i) & 0xc0) !== 0x80) return false;
    at += more + 1;
  }
  return true;
}

/** UTF-16 of non-ASCII letters: its first units share a few high bytes. */
function couldBeWide(bytes: Bytes): boolean {
  if (bytes.length % 2 === 1 || bytes.length < LEAST_WIDE) return false;
  const high: number[] = [];
  for (let at = 1; at < LEAST_WIDE; at += 2) {
    const byte = scriptOf(byteAt(bytes, at));
    if (high.includes(byte)) continue;
    if (high.length === MOST_HIGH) return false;
    high.push(byte);
  }
  return true;
}

/** Looks at every sixteenth byte, and backwards only from a printable one. */
function holdsStretch(bytes: Bytes): boolean {
  for (let start = 0; start + STRETCH <= bytes.length;) {
    let back = start + STRETCH - 1;
    while (back >= start && isPrintable(byteAt(bytes, back))) back--;
    if (back < start) return true;
    start = back + 1;
  }
  return false;
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a;
}
