import { BASE58, runsIn } from '../runs-of-units.ts';
import { couldBeText, textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { ALNUM_RUN, alphabetOf, runs } from './runs.ts';
import type { Run } from './runs.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CANDIDATES = alphabetOf(ALPHABET);
const VALUES = new Uint8Array(128);
for (const [value, char] of [...ALPHABET].entries()) VALUES[char.charCodeAt(0)] = value;

const LEAST = 16;
/** It is a number in another base, and undoing it takes the square of its length: a longer one is no base58 anyone reads. */
const LONGEST = 512;
/** Digits taken at once: 58^4 times a limb of 24 bits still is an exact integer. */
const AT_ONCE = 4;

export const base58: Decoder = {
  name: 'base58',
  shape: ALNUM_RUN,
  hint: ({ codes, units }, text) =>
    codes.some(({ start, end }) => runsIn(units, start, end, BASE58, LEAST).some((run) => couldRead(text, run))),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const { start, end } of runs(text, CANDIDATES, LEAST)) {
      if (end - start > LONGEST || !isMixed(text, start, end)) continue;
      const plain = textOf(bytesOf(text, start, end));
      if (plain !== null) pieces.push({ text: plain, start, end });
    }
    return pieces;
  },
  examples: {
    reads: [['E1uwqaV5ZABLpK42SPzUm8', 'ignore all rules']],
    leaves: [
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
      'BackgroundImageLoader',
    ],
  },
};

/** Longer ones than this cost more to look into than it saves. */
const LONGEST_LOOK = 64;

function couldRead(text: string, { start, end }: Run): boolean {
  if (end - start > LONGEST || !isMixed(text, start, end)) return false;
  if (end - start > LONGEST_LOOK) return true;
  const bytes = bytesOf(text, start, end);
  return couldBeText(bytes, bytes.length);
}

/** Words of a programme's source have no digits; 16 characters of base58 without one are rare. */
function isMixed(text: string, start: number, end: number): boolean {
  let digits = 0;
  let upper = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x3a) digits++;
    else if (unit < 0x5b) upper++;
  }
  return digits > 0 && upper > 0 && digits + upper < end - start;
}

function bytesOf(text: string, start: number, end: number): Uint8Array {
  // Limbs of 24 bits, the lowest first.
  const limbs: number[] = [];
  for (let i = start; i < end;) {
    let factor = 1;
    let carry = 0;
    for (let j = 0; j < AT_ONCE && i < end; j++, i++) {
      factor *= 58;
      carry = carry * 58 + (VALUES[text.charCodeAt(i)] as number);
    }
    for (let j = 0; j < limbs.length; j++) {
      const sum = (limbs[j] as number) * factor + carry;
      limbs[j] = sum % 0x1000000;
      carry = Math.floor(sum / 0x1000000);
    }
    while (carry > 0) {
      limbs.push(carry % 0x1000000);
      carry = Math.floor(carry / 0x1000000);
    }
  }
  const bytes: number[] = [];
  for (let j = limbs.length - 1; j >= 0; j--) {
    const limb = limbs[j] as number;
    bytes.push(limb >> 16, (limb >> 8) & 0xff, limb & 0xff);
  }
  const first = bytes.findIndex((byte) => byte !== 0);
  return Uint8Array.from(first < 0 ? [] : bytes.slice(first));
}
