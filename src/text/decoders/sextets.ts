import { DIGITS, LOWER, UPPER } from './runs.ts';

/**
 * Decodes six bits per character through a table of values, into an existing buffer: most of what looks like a code is
 * none.
 */
export type Sextets = Uint8Array;

const ALPHABET = `${UPPER}${LOWER}${DIGITS}+/`;

/** Both variants at once: with `+` and `/`, and with `-` and `_`. */
export const BASE64 = sextetsOf(ALPHABET);

/** The same alphabet with its letters rotated by 13. */
export const BASE64_SHIFTED = sextetsOf(ALPHABET.replace(/[A-Za-z]/g, shifted));

/**
 * Decodes the characters from `from` to `to`, `to` excluded, backwards if `to` is smaller. Returns the number of bytes.
 */
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
