import { DIGITS, LOWER, UPPER } from './runs.ts';

/** Six bits a character, by number: into bytes that are there already, since most of what looks like a code is none. */
export type Sextets = Uint8Array;

const ALPHABET = `${UPPER}${LOWER}${DIGITS}+/`;

/** Both alphabets at once: with plus and slash, and with dash and underscore. */
export const BASE64 = sextetsOf(ALPHABET);

/** The same behind the shift by thirteen letters that undoes itself. */
export const BASE64_SHIFTED = sextetsOf(ALPHABET.replace(/[A-Za-z]/g, shifted));

/** Returns how many bytes the characters from `from` to `to` give, `to` not included; backwards where it is the smaller. */
export function bytesOfSextets(
  units: Uint16Array,
  from: number,
  to: number,
  values: Sextets,
  bytes: Uint8Array,
  length = 0,
): number {
  const step = from <= to ? 1 : -1;
  let bits = 0;
  let held = 0;
  let size = length;
  for (let i = from; i !== to; i += step) {
    bits = ((bits << 6) | (values[units[i] as number] as number)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[size++] = bits >> held;
    }
  }
  return size;
}

function sextetsOf(alphabet: string): Sextets {
  const values = new Uint8Array(128);
  for (const [value, char] of [...alphabet].entries()) values[char.charCodeAt(0)] = value;
  values[0x2d] = 62;
  values[0x5f] = 63;
  return values;
}

function shifted(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13));
}
