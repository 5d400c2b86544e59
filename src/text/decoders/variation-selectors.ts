import { MARK } from '../marks.ts';
import { unitsOf } from '../units.ts';
import { couldBeText, eachOf, scratchFor, textOf } from './bytes.ts';
import type { Decoder } from './decoder.ts';
import { hiddenOf, holdsHidden, readHidden } from './hidden-runs.ts';

/**
 * Each of the 256 variation selectors encodes one byte. Their legitimate use is a single one after an emoji or an
 * ideograph.
 */
const SELECTORS = hiddenOf([[0xfe00, 0xfe0f]], { high: 0xdb40, low: [0xdd00, 0xddef] });
const LEAST = 3;

export const variationSelectors: Decoder = {
  name: 'variation-selectors',
  hides: 'cipher',
  shape: '[\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]',
  hint: ({ marks, units, length }) => (marks & MARK.selectors) !== 0 && holdsHidden(units, length, SELECTORS, LEAST),
  suspicion: 0.9,
  decode: (text) => readHidden(unitsOf(text), text.length, SELECTORS, LEAST, decoded),
  examples: {
    reads: [
      [
        `😊${[...'ignore all'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)).join('')}`,
        'ignore all',
      ],
      [[...'ignore all'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0))).join(''), 'ignore all'],
      [[...'ignore'].map(nibbles).join(''), 'ignore'],
      [
        [...'ignore all'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0))).join('') +
          [...'a perfectly harmless text']
            .map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16))
            .join(''),
        'ignore all',
      ],
      [[...'ignore'].map((char) => `x${String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)}`).join(''), 'ignore'],
    ],
    leaves: ['❤️ ☀️ ✌️', '葛\u{E0100}飾区', '❤\uFE0F\uFE0F\uFE0F', '1️⃣2️⃣3️⃣'],
  },
};

/** The two common ways to number the selectors from 0 to 255, and one that uses only the first sixteen. */
const WAYS = [
  (units, start, end, bytes) => numbersOf(units, start, end, 16, bytes),
  (units, start, end, bytes) => numbersOf(units, start, end, 0, bytes),
  halvesOf,
] satisfies readonly ((units: Uint16Array, start: number, end: number, bytes: Uint8Array) => number)[];

/**
 * In every numbering that gives text. With a wrong one letters become other printable characters, which does no harm;
 * preferring the one with the most letters would let the sender choose which is read.
 */
function decoded(units: Uint16Array, start: number, end: number): string | null {
  const bytes = scratchFor(end - start);
  return eachOf(
    WAYS.map((write) => {
      const length = write(units, start, end, bytes);
      return couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null;
    }),
  );
}

/** The supplementary selectors, from U+E0100 on, are numbered from `first` on. */
function numbersOf(units: Uint16Array, start: number, end: number, first: number, bytes: Uint8Array): number {
  let length = 0;
  for (let i = start; i < end; i++) {
    const unit = units[i] as number;
    bytes[length++] = unit >= 0xfe00 ? unit - 0xfe00 : ((units[++i] as number) & 0x3ff) - 0x100 + first;
  }
  return length;
}

function halvesOf(units: Uint16Array, start: number, end: number, bytes: Uint8Array): number {
  let length = 0;
  for (let i = start; i + 1 < end; i += 2) {
    if ((units[i] as number) < 0xfe00 || (units[i + 1] as number) < 0xfe00) return 0;
    bytes[length++] = (((units[i] as number) & 15) << 4) | ((units[i + 1] as number) & 15);
  }
  return length;
}

function nibbles(char: string): string {
  const code = char.charCodeAt(0);
  return String.fromCodePoint(0xfe00 + (code >> 4), 0xfe00 + (code & 15));
}
