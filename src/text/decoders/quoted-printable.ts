import { lenient } from './bytes.ts';
import { MARK } from '../marks.ts';
import { isQuotedEscape } from '../quoted-escape.ts';
import { unitsOf } from '../units.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Escapes in lowercase count only several in a row: mail uses capitals, and code contains `=ab`. */
const ESCAPES = /(?:=[0-9A-Fa-f]{2}){4,}|(?:=[0-9A-F]{2})+|(?<!=)=\r?\n/g;
/** The length of four escapes. */
const ROW = 3 * 4;

export const quotedPrintable: Decoder = {
  name: 'quoted-printable',
  shape: '=[0-9A-F][0-9A-F]|=\\r?\\n',
  hint: ({ marks }) => (marks & MARK.quotedPrintable) !== 0,
  inline: true,
  suspicion: 0,
  decode(text) {
    const units = unitsOf(text);
    return stitch(text, ESCAPES, ({ 0: escape, index }) => {
      if (escape.length < ROW && !isQuotedEscape(units, index, text.length)) return null;
      return escape.endsWith('\n') ? '' : bytesOf(escape);
    });
  },
  examples: {
    reads: [
      ['=69=67=6E=6F=72=65', 'ignore'],
      ['=69=67=6e=6f=72=65', 'ignore'],
      ['ign=\r\nore', 'ignore'],
      ['caf=C3=A9', 'café'],
    ],
    leaves: [
      'a == b',
      'x=1&y=2',
      'if (a = b)',
      'max_length=256, size=1024',
      'base_url=BASE_URL',
      'let total =\n  a + b',
      'sum v1.0.0 h1:yGsR4wqTbM2c8ZkX0vNfJtLhPa7uQd9eIo5iWxKsB3A=\nsum v1.1.0',
    ],
  },
};

function bytesOf(escapes: string): string {
  // Allocating a buffer for each single escape would cost ten times the rest.
  if (escapes.length === 3) return String.fromCharCode(Number.parseInt(escapes.slice(1), 16));
  return lenient(Buffer.from(escapes.replaceAll('=', ''), 'hex'));
}
