import { MARK } from '../marks.ts';
import { textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';

/** Two hundred and fifty-six invisible characters are a byte each; one after an emoji or an ideograph is how they are meant. */
const RUN = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu;
const SELECTOR = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3}/u;

export const variationSelectors: Decoder = {
  name: 'variation-selectors',
  shape:
    '[\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}][\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}][\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]',
  hint: ({ marks }, text) => (marks & MARK.selectors) !== 0 && SELECTOR.test(text),
  suspicion: 0.9,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const match of text.matchAll(RUN)) {
      const plain = decoded(match[0]);
      if (plain !== null) pieces.push({ text: plain, start: match.index, end: match.index + match[0].length });
    }
    return pieces;
  },
  examples: {
    reads: [
      [
        `😊${[...'ignore all'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16)).join('')}`,
        'ignore all',
      ],
      [[...'ignore all'].map((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0))).join(''), 'ignore all'],
      [[...'ignore'].map(nibbles).join(''), 'ignore'],
    ],
    leaves: ['❤️ ☀️ ✌️', '葛\u{E0100}飾区', '❤\uFE0F\uFE0F\uFE0F', '1️⃣2️⃣3️⃣'],
  },
};

/** The two ways in use to number the selectors from 0 to 255, and the one that needs only the first sixteen. */
function decoded(run: string): string | null {
  const numbered = new Uint8Array(run.length);
  const direct = new Uint8Array(run.length);
  let length = 0;
  let areHalves = true;
  for (let i = 0; i < run.length; i++, length++) {
    const unit = run.charCodeAt(i);
    const isLong = unit >= 0xd800 && unit < 0xe000;
    // The second half of the pair counts on from U+E0100.
    const value = isLong ? (run.charCodeAt(++i) & 0x3ff) - 0x100 : unit - 0xfe00;
    areHalves &&= !isLong;
    numbered[length] = isLong ? value + 16 : value;
    direct[length] = value;
  }
  const halves = areHalves ? pairs(numbered.subarray(0, length)) : new Uint8Array(0);
  const readable = [numbered.subarray(0, length), direct.subarray(0, length), halves].flatMap(
    (bytes) => textOf(bytes) ?? [],
  );
  return readable.length === 0 ? null : readable.reduce((best, next) => (letters(next) > letters(best) ? next : best));
}

/** Read with the wrong numbers, letters become other printable characters: the right ones have more of them. */
function letters(text: string): number {
  return text.match(/[A-Za-z ]/g)?.length ?? 0;
}

function pairs(nibbles: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(nibbles.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = ((nibbles[2 * i] as number) << 4) | (nibbles[2 * i + 1] as number);
  return bytes;
}

function nibbles(char: string): string {
  const code = char.charCodeAt(0);
  return String.fromCodePoint(0xfe00 + (code >> 4), 0xfe00 + (code & 15));
}
