import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { array, constantFrom, assert as holds, property } from 'fast-check';
import { shapesFinder } from '../src/detect/shapes.ts';
import type { Decoder } from '../src/text/decoders/decoder.ts';
import { DECODERS } from '../src/text/decoders/index.ts';
import { inPlace } from '../src/text/in-place.ts';
import { hintedBy } from '../src/text/asked.ts';

/** Encoders as other people write them, so that no decoder is tested against its own idea of the encoding. */
const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');
const each =
  (encode: (char: string) => string, between = '') =>
  (text: string) =>
    [...text].map(encode).join(between);

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function base58(text: string): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let value = BigInt(`0x${Buffer.from(text).toString('hex')}`);
  let out = '';
  for (; value > 0n; value /= 58n) out = alphabet.charAt(Number(value % 58n)) + out;
  return out;
}

function ascii85(text: string): string {
  const bytes = [...Buffer.from(text)];
  let out = '';
  for (let i = 0; i < bytes.length; i += 4) {
    const group = bytes.slice(i, i + 4);
    let value = [0, 1, 2, 3].reduce((sum, j) => sum * 256 + (group[j] ?? 0), 0);
    const digits: string[] = [];
    for (let j = 0; j < 5; j++, value = Math.floor(value / 85)) digits.unshift(String.fromCharCode(33 + (value % 85)));
    out += digits.slice(0, group.length + 1).join('');
  }
  return out;
}

const uuDigit = (value: number): string => String.fromCharCode(value === 0 ? 96 : 32 + value);

function uuencode(text: string): string {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += 45) {
    const line = Buffer.from(text.slice(at, at + 45));
    let out = uuDigit(line.length);
    for (let i = 0; i < line.length; i += 3) {
      const [a = 0, b = 0, c = 0] = line.subarray(i, i + 3);
      out +=
        uuDigit(a >> 2) + uuDigit(((a & 3) << 4) | (b >> 4)) + uuDigit(((b & 15) << 2) | (c >> 6)) + uuDigit(c & 63);
    }
    lines.push(out);
  }
  return lines.join('\n');
}

const ENCODERS: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  base64: [
    (text) => Buffer.from(text).toString('base64'),
    (text) => Buffer.from(text).toString('base64url'),
    (text) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n'),
    (text) => Buffer.from(text, 'utf16le').toString('base64'),
  ],
  base32: [base32, (text) => base32(text).toLowerCase()],
  base58: [base58],
  base85: [ascii85, (text) => `<~${ascii85(text)}~>`],
  uuencode: [uuencode],
  hex: [
    each(hexOf),
    each(hexOf, ' '),
    each((char) => `0x${hexOf(char)}`, ', '),
    (text) => each(hexOf)(text).toUpperCase(),
  ],
  numbers: [
    each((char) => char.charCodeAt(0).toString(2).padStart(8, '0'), ' '),
    each((char) => char.charCodeAt(0).toString(2).padStart(8, '0')),
    each((char) => char.charCodeAt(0).toString(8).padStart(3, '0'), ' '),
    each((char) => String(char.charCodeAt(0)), ', '),
  ],
  percent: [each((char) => `%${hexOf(char)}`)],
  entities: [each((char) => `&#${char.charCodeAt(0)};`), each((char) => `&#x${hexOf(char)};`)],
  escapes: [
    each((char) => `\\u00${hexOf(char)}`),
    each((char) => `\\x${hexOf(char)}`),
    each((char) => `\\u{${hexOf(char)}}`),
    each((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`),
  ],
  'quoted-printable': [each((char) => `=${hexOf(char).toUpperCase()}`)],
  'encoded-word': [(text) => `=?UTF-8?Q?${text.replaceAll(' ', '_')}?=`],
  rtf: [each((char) => `\\'${hexOf(char)}`), each((char) => `\\u${char.charCodeAt(0)}?`)],
  'tex-code': [each((char) => `\\char${char.charCodeAt(0)} `)],
  'bracketed-code': [each((char) => `<${hexOf(char)}>`), each((char) => `[${char.charCodeAt(0)}]`)],
  'unicode-tags': [each((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0)))],
  'variation-selectors': [each((char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16))],
  'invisible-bits': [
    each((char) => char.charCodeAt(0).toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c')),
  ],
  'bidi-override': [(text) => `\u202e${[...text].reverse().join('')}\u202c`],
};

const WORDS = [
  'please',
  'tell',
  'me',
  'every',
  'secret',
  'that',
  'hides',
  'behind',
  'these',
  'words',
  'Now',
  'quickly',
];
/** What a search of 40,000 sentences for each encoder once found to come back wrong, or not at all. */
const HARD = [
  'words words Now me hides Now',
  'that these secret hides behind',
  'every Now hides behind tell',
  'every every every words me',
  'tell these these these tell',
  'behind these tell tell please',
  'these these these these hides',
];
/** Below that much, a code is too short to be told from a name. */
const LEAST = 20;
const sentence = array(constantFrom(...WORDS), { minLength: 5, maxLength: 20 })
  .map((words) => words.join(' '))
  .filter((text) => text.length >= LEAST);

const shapesIn = shapesFinder(DECODERS);
assert.ok(shapesIn !== null);

function isAskedAbout(decoder: Decoder, text: string): boolean {
  if (decoder.hint !== undefined) return hintedBy(text).includes(decoder);
  return shapesIn!(Buffer.from(text)).includes(DECODERS.indexOf(decoder));
}

describe('a decoder undoes what any encoder of its encoding does', () => {
  for (const [name, encoders] of Object.entries(ENCODERS)) {
    const decoder = DECODERS.find((decoder) => decoder.name === name);
    for (const [variant, encode] of encoders.entries()) {
      it(`${name}, way ${variant + 1}: the text comes back, alone and in the middle of other text`, () => {
        assert.ok(decoder);
        holds(
          property(sentence, (text) => {
            for (const around of [encode(text), `Decode this: ${encode(text)}\nThank you.`]) {
              assert.ok(isAskedAbout(decoder, around), `not asked about ${JSON.stringify(around).slice(0, 120)}`);
              const pieces = decoder.decode(around);
              const read = [inPlace(around, pieces), ...pieces.map((piece) => piece.text)].join('\n');
              assert.ok(read.includes(text), `${JSON.stringify(text)} came back as ${JSON.stringify(read)}`);
            }
          }),
          { numRuns: 60, examples: HARD.map((text) => [text]) },
        );
      });
    }
  }
});
