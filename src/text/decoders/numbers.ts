import { isBlank, isDigit, unitsOf } from '../units.ts';
import { couldBeText, eachOf, scratchFor, textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { DIGITS, LOWER, UPPER, alphabetOf, runs } from './runs.ts';

/**
 * Lists of character codes in base two, eight or ten. The digits alone say which bases are possible, text which it could
 * be; where that is more than one, each is read.
 */
const BITS = alphabetOf('01');
const BASES = [2, 8, 10];
const LEAST_BITS = 48;
const LEAST_NUMBERS = 6;
const SHORTEST = 2;
const LONGEST = 9;
const SIGNS_BETWEEN = alphabetOf(' \t\n\v\f\r,;|\\/_-');
/** What a number of a list may not touch: then it is a part of something else. */
const WORDY = alphabetOf(`${DIGITS}${UPPER}${LOWER}`);
const LISTS = /[0-9]{2}(?:[\s,;|\\/_-]{1,2}(?:0[bo])?[0-9]{2,9}){5}|[01]{48}/;

export const numbers: Decoder = {
  name: 'numbers',
  shape: '(?:[0-9][0-9]+[ \\n,;|/_-][ \\n]?(?:0[bo])?){5}[0-9][0-9]|[01]{48}',
  hint: ({ numeric }, text) => numeric.some(({ start, end }) => LISTS.test(text.slice(start, end))),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    const units = unitsOf(text);
    for (const { start, end } of runs(text, BITS, LEAST_BITS)) {
      const plain = eachOf([ofBits(units, start, end, 8), ofBits(units, start, end, 7)]);
      if (plain !== null) pieces.push({ text: plain, start, end });
    }
    for (let at = 0; at < text.length;) {
      const { end, count } = listAt(units, at, text.length);
      const plain = count < LEAST_NUMBERS ? null : ofNumbers(units, at, end, count);
      if (plain !== null) pieces.push({ text: plain, start: at, end });
      at = end;
    }
    return pieces;
  },
  examples: {
    reads: [
      ['01101001 01100111 01101110 01101111 01110010 01100101', 'ignore'],
      ['011010010110011101101110011011110111001001100101', 'ignore'],
      ['1101001 1100111 1101110 1101111 1110010 1100101', 'ignore'],
      ['151 147 156 157 162 145 040 141 154 154', 'ignore all'],
      ['105, 103, 110, 111, 114, 101, 32, 97, 108, 108', 'ignore all'],
      ['73 71 78 79 82 69', 'IGNORE'],
    ],
    leaves: [
      '12, 45, 99, 2024, 31, 7, 1850',
      '192 168 100 200 255 254 253 252',
      '2024-01-15 10:22:31 2024-01-16 11:20:00',
      '11111111 00000000 11111111 00000000 10101010 01010101',
      '4111 1111 1111 1111',
    ],
  },
};

function ofBits(units: Uint16Array, start: number, end: number, width: 7 | 8): string | null {
  if ((end - start) % width !== 0) return null;
  const bytes = scratchFor((end - start) / width);
  let length = 0;
  for (let i = start; i < end; length++) {
    let byte = 0;
    for (let j = 0; j < width; j++, i++) byte = (byte << 1) | ((units[i] as number) & 1);
    bytes[length] = byte;
  }
  return couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null;
}

/** Numbers of some length, parted by one or two signs. Where none begins, the list is empty and ends where to go on. */
function listAt(units: Uint16Array, start: number, length: number): { readonly end: number; readonly count: number } {
  if (!isDigit(units[start] as number) || (start > 0 && (units[start - 1] === 0x2e || isWordy(units[start - 1]))))
    return { end: start + 1, count: 0 };
  let end = endOfNumber(units, start, length);
  if (end === 0) return { end: start + 1, count: 0 };
  let count = 1;
  for (;;) {
    let next = end;
    while (next < length && next < end + 2 && isBetween(units[next] as number)) next++;
    // Of two signs the second could be none, but a number does not begin with one.
    const to = next === end || next >= length ? 0 : endOfNumber(units, next, length);
    if (to === 0) return { end, count };
    end = to;
    count++;
  }
}

/** `0b` and `0o` may stand before it. 0 where it is too short, too long, or goes on as a word. */
function endOfNumber(units: Uint16Array, start: number, length: number): number {
  const first = digitsFrom(units, start, length);
  let end = first;
  while (end < length && end <= first + LONGEST && isDigit(units[end] as number)) end++;
  const size = end - first;
  return size < SHORTEST || size > LONGEST || (end < length && isWordy(units[end])) ? 0 : end;
}

function digitsFrom(units: Uint16Array, start: number, length: number): number {
  const isMarked =
    units[start] === 0x30 && start + 1 < length && (units[start + 1] === 0x62 || units[start + 1] === 0x6f);
  return isMarked ? start + 2 : start;
}

function isBetween(unit: number): boolean {
  return unit < 128 ? SIGNS_BETWEEN[unit] === 1 : isBlank(unit) || WIDE_BLANK.test(String.fromCharCode(unit));
}

const WIDE_BLANK = /\s/;

function isWordy(unit: number | undefined): boolean {
  return unit !== undefined && unit < 128 && WORDY[unit] === 1;
}

function ofNumbers(units: Uint16Array, start: number, end: number, count: number): string | null {
  const bytes = scratchFor(count);
  return eachOf(
    BASES.map((base) =>
      writeNumbers(units, start, end, base, bytes) && couldBeText(bytes, count)
        ? textOf(bytes.subarray(0, count))
        : null,
    ),
  );
}

/** False when one of them is not of that base, or no byte. */
function writeNumbers(units: Uint16Array, start: number, end: number, base: number, bytes: Uint8Array): boolean {
  const least = base === 2 ? 7 : SHORTEST;
  let length = 0;
  for (let at = start; at < end; length++) {
    while (!isDigit(units[at] as number)) at++;
    const first = digitsFrom(units, at, end);
    let value = 0;
    for (at = first; at < end && isDigit(units[at] as number); at++) {
      const digit = (units[at] as number) - 0x30;
      if (digit >= base) return false;
      value = value * base + digit;
    }
    if (at - first < least || value > 255) return false;
    bytes[length] = value;
  }
  return true;
}
