/** X1, X4, X5, X14, X15: bytes or characters as codes. */
import { domainToASCII } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Encoder } from './encoders.ts';

export const coded = (
  row: string,
  name: string,
  encode: (text: string) => string,
  gives: Encoder['gives'] = 'ascii',
): Encoder => ({
  row,
  name,
  carries: 'anything',
  gives,
  encode,
});

const bytes = (text: string): number[] => [...Buffer.from(text)];
export const perByte =
  (digits: (byte: number) => string, apart = '') =>
  (text: string): string =>
    bytes(text).map(digits).join(apart);
const perChar =
  (code: (point: number, char: string) => string, apart = '') =>
  (text: string): string =>
    [...text].map((char) => code(char.codePointAt(0) as number, char)).join(apart);
export const perUnit =
  (code: (unit: number) => string) =>
  (text: string): string =>
    Array.from({ length: text.length }, (_, at) => code(text.charCodeAt(at))).join('');
const padded = (value: number, radix: number, width: number): string => value.toString(radix).padStart(width, '0');
export const hex = (byte: number): string => padded(byte, 16, 2);

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const plainHex = (text: string): string => Buffer.from(text).toString('hex');

function base32(text: string): string {
  const bits = bytes(text)
    .map((byte) => padded(byte, 2, 8))
    .join('');
  const letters = (bits.match(/.{1,5}/g) ?? []).map((five) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2)),
  );
  return letters.join('').padEnd(Math.ceil(letters.length / 8) * 8, '=');
}

/** Long division of the bytes, written out: as a big number a long text would take a second. */
function base58(text: string): string {
  const digits = [0];
  for (const byte of bytes(text)) {
    let carry = byte;
    for (let at = 0; at < digits.length; at++) {
      carry += (digits[at] as number) * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  return digits
    .reverse()
    .map((digit) => '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.charAt(digit))
    .join('');
}

const ADOBE = perChar((point) => String.fromCharCode(point))(
  Array.from({ length: 85 }, (_, at) => String.fromCharCode(33 + at)).join(''),
);
const RFC1924 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

const base85 =
  (alphabet: string) =>
  (text: string): string => {
    const all = bytes(text);
    let out = '';
    for (let at = 0; at < all.length; at += 4) {
      const group = all.slice(at, at + 4);
      let value = group
        .concat([0, 0, 0])
        .slice(0, 4)
        .reduce((sum, byte) => sum * 256 + byte, 0);
      let digits = '';
      for (let place = 0; place < 5; place++) {
        digits = alphabet.charAt(value % 85) + digits;
        value = Math.floor(value / 85);
      }
      out += digits.slice(0, group.length + 1);
    }
    return out;
  };

const six = (bits: number): string => (bits === 0 ? '`' : String.fromCharCode(32 + bits));

function uuencode(text: string): string {
  const all = Buffer.from(text);
  const lines: string[] = [];
  for (let at = 0; at < all.length; at += 45) {
    const line = all.subarray(at, at + 45);
    let out = six(line.length);
    for (let from = 0; from < line.length; from += 3) {
      const word = ((line[from] ?? 0) << 16) | ((line[from + 1] ?? 0) << 8) | (line[from + 2] ?? 0);
      out += [18, 12, 6, 0].map((shift) => six((word >> shift) & 63)).join('');
    }
    lines.push(out);
  }
  return `begin 644 note.txt\n${lines.join('\n')}\n\`\nend`;
}

const quotedPrintable = (text: string): string =>
  (perByte((byte) => `=${hex(byte).toUpperCase()}`)(text).match(/.{1,75}/g) ?? []).join('=\n');

const encodedWords = (text: string): string =>
  text
    .split(/(?<= )/)
    .map((word) => `=?UTF-8?Q?${perByte((byte) => (byte === 0x20 ? '_' : `=${hex(byte).toUpperCase()}`))(word)}?=`)
    .join('\r\n ');

const hexdump = (text: string): string =>
  (text.match(/[^]{1,16}/g) ?? [])
    .map((line, at) => `${padded(at * 16, 16, 8)}  ${[...Buffer.from(line)].map(hex).join(' ')}`)
    .join('\n');

/** Look-alikes first: words of plain letters have no such form. */
const punycode = (text: string): string =>
  text.replace(
    /[A-Za-z]{2,}/g,
    (word) =>
      domainToASCII(
        word.toLowerCase().replace(/[eaoi]/, (vowel) => ({ e: 'é', a: 'á', o: 'ó', i: 'í' })[vowel] ?? vowel),
      ) || word,
  );

const selector = (byte: number): string => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16);
export const chunks = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

export const BINARY_ENCODERS: readonly Encoder[] = [
  {
    ...coded(
      'X4',
      'Unicode tags',
      perChar((point) => String.fromCodePoint(0xe0000 + point)),
      'anything',
    ),
    carries: 'ascii',
  },
  {
    ...coded(
      'X4',
      'Unicode tags after an emoji',
      (text) => `Have a nice day 🙂${perChar((point) => String.fromCodePoint(0xe0000 + point))(text)}!`,
      'anything',
    ),
    carries: 'ascii',
  },
  coded(
    'X5',
    'variation selectors after an emoji',
    (text) => `Have a nice day 😊${perByte(selector)(text)}!`,
    'anything',
  ),
  coded(
    'X1',
    'bits in zero-width characters',
    perByte((byte) => padded(byte, 2, 8).replaceAll('0', '\u200b').replaceAll('1', '\u200c')),
    'anything',
  ),
  coded('X14', 'base64', base64),
  coded('X14', 'base64 without padding', (text) => base64(text).replaceAll('=', '')),
  coded('X14', 'base64 for URLs', (text) => Buffer.from(text).toString('base64url')),
  coded('X14', 'base64 in lines', (text) => chunks(base64(text), 60).join('\r\n')),
  coded('X14', 'base64 in groups of four', (text) => chunks(base64(text), 4).join(' ')),
  coded('X14', 'base64 in groups of five', (text) => chunks(base64(text), 5).join(' ')),
  coded('X14', 'base64 in lines of eight', (text) => chunks(base64(text), 8).join('\n')),
  coded('X14', 'every word in base64', (text) => text.split(' ').map(base64).join(' ')),
  coded('X14', 'base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')),
  coded('X14', 'base64 within a sentence', (text) => `My homework for today is ${base64(text)}, thank you.`),
  coded('X14', 'gzip in base64', (text) => gzipSync(text).toString('base64')),
  coded('X14', 'base32', base32),
  coded('X14', 'base32 in lower case', (text) => base32(text).toLowerCase().replaceAll('=', '')),
  coded('X14', 'base58', base58),
  coded('X14', 'ascii85', base85(ADOBE)),
  coded('X14', 'ascii85 in its brackets', (text) => `<~${base85(ADOBE)(text)}~>`),
  coded('X14', 'base85 of Git and Python', base85(RFC1924)),
  coded('X14', 'uuencode', uuencode),
  coded('X15', 'hex', plainHex),
  coded('X15', 'hex in pairs', perByte(hex, ' ')),
  coded('X15', 'hex with colons, capitals', (text) => perByte(hex, ':')(text).toUpperCase()),
  coded(
    'X15',
    'hex as assemblers write it',
    perByte((byte) => `${hex(byte)}h`, ', '),
  ),
  coded(
    'X15',
    'hex with 0x',
    perByte((byte) => `0x${hex(byte)}`, ', '),
  ),
  coded(
    'X15',
    'hex escapes',
    perByte((byte) => `\\x${hex(byte)}`),
  ),
  coded('X15', 'a hex dump', hexdump),
  coded(
    'X15',
    'binary',
    perByte((byte) => padded(byte, 2, 8), ' '),
  ),
  coded(
    'X15',
    'binary without gaps',
    perByte((byte) => padded(byte, 2, 8)),
  ),
  coded(
    'X15',
    'octal',
    perByte((byte) => padded(byte, 8, 3), ' '),
  ),
  coded(
    'X15',
    'octal escapes',
    perByte((byte) => `\\${padded(byte, 8, 3)}`),
  ),
  coded('X15', 'decimal', perByte(String, ' ')),
  coded('X15', 'decimal with commas', perByte(String, ', ')),
  coded(
    'X15',
    'percent',
    perByte((byte) => `%${hex(byte)}`),
  ),
  {
    ...coded('X15', 'percent twice', (text) => perByte((byte) => `%${hex(byte)}`)(text).replaceAll('%', '%25')),
    layers: 2,
  },
  coded(
    'X15',
    'decimal entities',
    perChar((point) => `&#${point};`),
  ),
  coded(
    'X15',
    'hex entities',
    perChar((point) => `&#x${point.toString(16)};`),
  ),
  coded(
    'X15',
    'entities with zeros and no semicolon',
    perChar((point) => `&#${padded(point, 10, 7)}`),
  ),
  coded(
    'X15',
    'Unicode escapes',
    perUnit((unit) => `\\u${padded(unit, 16, 4)}`),
  ),
  coded(
    'X15',
    'Unicode escapes with braces',
    perChar((point) => `\\u{${point.toString(16)}}`),
  ),
  coded(
    'X15',
    'code points',
    perChar((point) => `U+${padded(point, 16, 4).toUpperCase()}`, ' '),
  ),
  coded('X15', 'calls of a function that makes characters', (text) =>
    [...text].map((char) => `String.fromCharCode(${char.charCodeAt(0)})`).join(' + '),
  ),
  coded('X15', 'quoted-printable', quotedPrintable),
  coded('X15', 'encoded words of a mail header', encodedWords),
  coded(
    'X15',
    'hex in brackets',
    perByte((byte) => `<${hex(byte)}>`),
  ),
  coded(
    'X15',
    'escapes of rich text',
    perByte((byte) => `\\'${hex(byte)}`),
  ),
  coded(
    'X15',
    'strings of a PDF page',
    (text) =>
      `[${chunks(text, 3)
        .map((piece) => `(${piece})`)
        .join('-20')}] TJ`,
  ),
  { ...coded('X15', 'punycode', punycode), carries: 'words' },
];
