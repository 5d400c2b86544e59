import { textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';

/** Lists of character codes in base two, eight or ten. The digits alone say which bases are possible; text says which it is. */
const BINARY_RUN = /(?<![01])[01]{48,}(?![01])/g;
const LIST = /(?<![0-9A-Za-z.])(?:0[bo])?[0-9]{2,9}(?:[\s,;|\\/_-]{1,2}(?:0[bo])?[0-9]{2,9}){5,}(?![0-9A-Za-z])/g;
const LISTS = /[0-9]{2}(?:[\s,;|\\/_-]{1,2}(?:0[bo])?[0-9]{2,9}){5}|[01]{48}/;
const UNIT = /[0-9]+(?=$|[^0-9bo])/g;

export const numbers: Decoder = {
  name: 'numbers',
  shape: '(?:[0-9][0-9]+[ \\n,;|/_-][ \\n]?(?:0[bo])?){5}[0-9][0-9]|[01]{48}',
  hint: ({ numeric }, text) => numeric.some(({ start, end }) => LISTS.test(text.slice(start, end))),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const match of text.matchAll(BINARY_RUN)) {
      const plain = ofBits(match[0], 8) ?? ofBits(match[0], 7);
      if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
    }
    for (const match of text.matchAll(LIST)) {
      const units = match[0].match(UNIT) ?? [];
      const plain = ofUnits(units);
      if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
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

function ofBits(bits: string, width: 7 | 8): string | null {
  if (bits.length % width !== 0) return null;
  const bytes = new Uint8Array(bits.length / width);
  for (let i = 0; i < bits.length; i++) {
    const at = Math.floor(i / width);
    bytes[at] = ((bytes[at] as number) << 1) | (bits.charCodeAt(i) & 1);
  }
  return textOf(bytes);
}

function ofUnits(units: readonly string[]): string | null {
  for (const base of [2, 8, 10]) {
    const least = base === 2 ? 7 : 2;
    const bytes = new Uint8Array(units.length);
    let fits = true;
    for (let i = 0; i < units.length && fits; i++) {
      const unit = units[i] as string;
      const value = Number.parseInt(unit, base);
      fits = unit.length >= least && value < 256 && isInBase(unit, base);
      bytes[i] = value;
    }
    const plain = fits ? textOf(bytes) : null;
    if (plain !== null) return plain;
  }
  return null;
}

function isInBase(unit: string, base: number): boolean {
  for (let i = 0; i < unit.length; i++) if (unit.charCodeAt(i) - 48 >= base) return false;
  return true;
}
