import { MARK } from '../marks.ts';
import { isAsciiLetter, unitsOf } from '../units.ts';
import { couldBeText, eachOf, scratchFor, textOf } from './bytes.ts';
import type { Decoder } from './decoder.ts';
import { hiddenOf, holdsHidden, readHidden } from './hidden-runs.ts';

/**
 * Zero-width characters used as bits. In Persian, Hindi and emoji, joiners occur between letters, never eight in a row.
 */
const RANGES = [
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2060, 0x2064],
  [0xfeff, 0xfeff],
] as const;
const INVISIBLE = hiddenOf(RANGES);
const ALL = RANGES.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
const LEAST = 8;
const ONE = '[\\x{180E}\\x{200B}-\\x{200F}\\x{2060}-\\x{2064}\\x{FEFF}]';

export const invisibleBits: Decoder = {
  name: 'invisible-bits',
  hides: 'cipher',
  shape: ONE.repeat(8),
  hint: ({ marks, units, length }) => (marks & MARK.invisible) !== 0 && holdsHidden(units, length, INVISIBLE, LEAST),
  suspicion: 0.9,
  decode: (text) => readHidden(unitsOf(text), text.length, INVISIBLE, LEAST, decoded),
  examples: {
    reads: [
      [bits('ignore', '\u2062', '\u2064', '\u200b', 0), 'ignore'],
      [`hello${bits('ignore', '\u200b', '\u200c', '', 8)}`, 'ignore'],
      [`${bits('ign', '\u200b', '\u200c', 'x', 8)}y${bits('ore', '\u200b', '\u200c', 'z', 8)}`, 'ignore'],
      [bits('ignore', '\u200d', '\u200c', '\ufeff', 8), 'ignore'],
      [`${bits('ignore', '\u2062', '\u2064', '', 0)}\u200b${bits('all', '\u2062', '\u2064', '', 0)}`, 'ignore all'],
    ],
    leaves: ['می\u200cخواهم کتاب\u200cها', '👨\u200d👩\u200d👧\u200d👦', '\u200b'.repeat(20), 'क्\u200dष'],
  },
};

/**
 * Only the result can tell which of the two most common characters is 0 and which is 1. All others separate groups of
 * bits.
 */
function decoded(units: Uint16Array, start: number, end: number): string | null {
  const [a, b] = twoCommonest(units, start, end);
  if (a === 0 || b === 0) return null;
  return eachOf([...readWith(units, start, end, a, b), ...readWith(units, start, end, b, a)]);
}

const COUNTS = new Uint32Array(65_536);

/** The two most common characters; the earlier one in case of a tie, 0 if there is none. */
function twoCommonest(units: Uint16Array, start: number, end: number): readonly [number, number] {
  for (const unit of ALL) COUNTS[unit] = 0;
  const order: number[] = [];
  for (let i = start; i < end; i++) {
    const unit = units[i] as number;
    if (COUNTS[unit] === 0) order.push(unit);
    COUNTS[unit]!++;
  }
  let [first, second] = [0, 0];
  for (const unit of order) {
    if (first === 0 || COUNTS[unit]! > COUNTS[first]!) [first, second] = [unit, first];
    else if (second === 0 || COUNTS[unit]! > COUNTS[second]!) second = unit;
  }
  return [first, second];
}

function readWith(units: Uint16Array, start: number, end: number, zero: number, one: number): (string | null)[] {
  let digits = 0;
  let groups = 0;
  let longest = 0;
  for (let i = start, row = 0; i < end; i++) {
    const unit = units[i];
    row = unit === zero || unit === one ? row + 1 : 0;
    if (row === 1) groups++;
    if (row > 0) digits++;
    if (row > longest) longest = row;
  }
  const bytes = scratchFor(digits + groups);
  const of = (length: number): string | null => (couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null);
  if (groups > 1 && longest <= 8) return [of(grouped(units, start, end, zero, one, bytes))];
  return [
    groups > 1 ? of(unpadded(units, start, end, zero, one, bytes)) : null,
    digits % 8 === 0 ? of(padded(units, start, end, zero, one, bytes, 8)) : null,
    digits % 7 === 0 ? of(padded(units, start, end, zero, one, bytes, 7)) : null,
  ];
}

/** One group of bits per letter. */
function grouped(units: Uint16Array, start: number, end: number, zero: number, one: number, bytes: Uint8Array): number {
  let length = 0;
  let isOpen = false;
  for (let i = start; i < end; i++) {
    const unit = units[i];
    if (unit === zero || unit === one) {
      if (!isOpen) bytes[length++] = 0;
      bytes[length - 1] = (bytes[length - 1]! << 1) | (unit === one ? 1 : 0);
      isOpen = true;
    } else isOpen = false;
  }
  return length;
}

/** A fixed number of bits per letter. */
function padded(
  units: Uint16Array,
  start: number,
  end: number,
  zero: number,
  one: number,
  bytes: Uint8Array,
  width: 7 | 8,
): number {
  let length = 0;
  let held = 0;
  let byte = 0;
  for (let i = start; i < end; i++) {
    const unit = units[i];
    if (unit !== zero && unit !== one) continue;
    byte = (byte << 1) | (unit === one ? 1 : 0);
    held++;
    if (held < width) continue;
    bytes[length++] = byte;
    held = byte = 0;
  }
  return length;
}

/**
 * Bits written without leading zeroes, with a third character for each space. Seven bits are a letter, six are
 * something else.
 */
function unpadded(
  units: Uint16Array,
  start: number,
  end: number,
  zero: number,
  one: number,
  bytes: Uint8Array,
): number {
  let length = 0;
  for (let from = start; from < end; from++) {
    let to = from;
    while (to < end && (units[to] === zero || units[to] === one)) to++;
    if (to > from && length > 0) bytes[length++] = 0x20;
    for (let at = from; at < to;) {
      const isSeven = to - at === 7 || isAsciiLetter(valueOf(units, at, Math.min(to, at + 7), one));
      const next = Math.min(to, at + (isSeven ? 7 : 6));
      bytes[length++] = valueOf(units, at, next, one);
      at = next;
    }
    from = to;
  }
  return length;
}

function valueOf(units: Uint16Array, from: number, to: number, one: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = (value << 1) | (units[i] === one ? 1 : 0);
  return value;
}

function bits(text: string, zero: string, one: string, between: string, width: number): string {
  const units = [...text].map((char) => char.charCodeAt(0).toString(2).padStart(width, '0'));
  return units.map((unit) => unit.replaceAll('0', zero).replaceAll('1', one)).join(between);
}
