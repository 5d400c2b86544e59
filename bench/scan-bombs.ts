/**
 * Bodies of at most 10 MB that are made to cost far more than their size suggests. Their names refer to
 * docs/security.md.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

interface Bomb {
  readonly says: string;
  readonly make: () => { readonly bytes: Buffer; readonly coding: string };
}

const BODY = 10_000_000;
const UNPACKED = 100_000_000;

const plain = (text: string): { bytes: Buffer; coding: string } => ({ bytes: Buffer.from(text), coding: '' });
const message = (content: string): string => `{"messages":[{"role":"user","content":"${content}"}]}`;
const fill = (open: string, unit: string, close: string, bytes = BODY): string =>
  open + unit.repeat(Math.floor((bytes - open.length - close.length) / Buffer.byteLength(unit))) + close;
const brotli = (text: string): Buffer => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

/** The same characters in a pseudo-random order, for scanners that read repeated text only once. */
function shuffled(chars: string, bytes: number): string {
  const from = [...chars];
  const each = Buffer.byteLength(from[0]!);
  let seed = 1;
  return Array.from({ length: Math.floor(bytes / each) }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return from[(seed >> 12) % from.length]!;
  }).join('');
}
const MARKS = String.fromCharCode(...Array.from({ length: 0x60 }, (_, i) => 0x300 + i));
const WIDE = String.fromCharCode(...Array.from({ length: 26 }, (_, i) => 0xff41 + i));
const LIGATURES = String.fromCharCode(...Array.from({ length: 8 }, (_, i) => 0xfdf2 + i));
const VARIED = 8_000_000;

export const BOMBS = {
  't3-br': { says: '100 MB in br', make: () => ({ bytes: brotli(fill('{"a":"', 'a', '"}', UNPACKED)), coding: 'br' }) },
  't3-gzip': {
    says: '100 MB in gzip',
    make: () => ({ bytes: gzipSync(fill('{"a":"', 'a', '"}', UNPACKED)), coding: 'gzip' }),
  },
  't19-lists': { says: '10 MB of [', make: () => plain('['.repeat(BODY)) },
  't19-objects': { says: '10 MB of {"a":', make: () => plain(fill('', '{"a":', '')) },
  't20-empty': { says: '10 MB of {},', make: () => plain(fill('[', '{},', '{}]')) },
  't20-keys': {
    says: '900,000 keys, all different',
    make: () => plain(`{${Array.from({ length: 900_000 }, (_, n) => `"k${n}":1`).join(',')}}`),
  },
  'x3-200k': { says: '200,000 combining marks', make: () => plain(message(`a${'\u0301'.repeat(200_000)}`)) },
  'x3-10mb': { says: '10 MB of combining marks', make: () => plain(fill(message('a').slice(0, -4), '\u0301', '"}]}')) },
  'x7-ligature': {
    says: '10 MB of U+FDFA, 18 letters each',
    make: () => plain(fill(message('').slice(0, -4), '\ufdfa', '"}]}')),
  },
  'x7-wide': {
    says: '10 MB of full-width letters',
    make: () => plain(fill(message('').slice(0, -4), 'ｉｇｎｏｒｅ', '"}]}')),
  },
  't19-mixed': { says: '10 MB of [ and {', make: () => plain(shuffled('[{', BODY)) },
  'x3-varied': { says: '8 MB of marks, none like the next', make: () => plain(message(`a${shuffled(MARKS, VARIED)}`)) },
  'x7-ligatures': { says: '8 MB of ligatures in turn', make: () => plain(message(shuffled(LIGATURES, VARIED))) },
  'x7-letters': { says: '8 MB of full-width letters in turn', make: () => plain(message(shuffled(WIDE, VARIED))) },
  padding: { says: '10 MB of dashes', make: () => plain(fill(message('').slice(0, -4), '-', '"}]}')) },
  apart: { says: '10 MB of letters apart', make: () => plain(fill(message('').slice(0, -4), 'a ', '"}]}')) },
} satisfies Record<string, Bomb>;

export type BombName = keyof typeof BOMBS;
