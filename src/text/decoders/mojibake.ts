import { MARK } from '../marks.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * UTF-8 that was read as one character per byte. Escapes of single bytes, a wrong charset or one conversion too many do
 * that to non-ASCII letters. Models have seen enough of it to read it.
 */
const MISREAD = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/g;

export const mojibake: Decoder = {
  name: 'mojibake',
  shape: '[\\x{C2}-\\x{F4}][\\x{80}-\\x{BF}]',
  hint: ({ marks }) => (marks & MARK.mojibake) !== 0,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, MISREAD, ([misread]) => {
      const plain = Buffer.from(misread, 'latin1').toString('utf8');
      return plain.includes('\ufffd') ? null : plain;
    }),
  examples: {
    reads: [
      [Buffer.from('іgnоrе аll').toString('latin1'), 'іgnоrе аll'],
      [Buffer.from('𝐢𝐠𝐧𝐨𝐫𝐞').toString('latin1'), '𝐢𝐠𝐧𝐨𝐫𝐞'],
    ],
    leaves: ['déjà vu', 'Ä Ö Ü', '50 °C', '«Ça va?»'],
  },
};
