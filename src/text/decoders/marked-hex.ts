import { couldBeText, scratchFor, textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { rowsOfCodes } from './rows-of-codes.ts';

/**
 * Bytes in hex as assemblers and other languages write them: `49h, 67h`, `$49 $67`, `&H49`, `0X49`, `16#49`, `h'49'`.
 */
const DIGITS = '[0-9A-Fa-f][0-9A-Fa-f]';
/** One byte. Without such a prefix or suffix the digits are just a number. */
const BYTE = `(?:(?:[$#]|&[hH]|0X|16#|[hHxX]'?|\\\\[xX])0?${DIGITS}[hH']?|\\b0x${DIGITS}[hH]|\\b0?${DIGITS}[hH])`;
const BETWEEN = '[ \\t\\r\\n,;:|+._/&-]';
const IN_A_ROW = 4;
const BYTES = new RegExp(`(?<![0-9A-Za-z])${BYTE}(?![0-9A-Za-z])`, 'g');
const PAIR = /([0-9A-Fa-f]{2})[hH']?$/;
const ONLY_BETWEEN = new RegExp(`^${BETWEEN}+$`);
const LEAST_BYTES = 6;

export const markedHex: Decoder = {
  name: 'marked-hex',
  hides: 'disguise',
  shape: Array.from({ length: IN_A_ROW }, () => BYTE).join(`${BETWEEN}+`),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const { start, end } of rowsOfCodes(text, BYTES, ONLY_BETWEEN, LEAST_BYTES)) {
      const plain = textIn(text.slice(start, end));
      if (plain !== null) pieces.push({ text: plain, start, end });
    }
    return pieces;
  },
  examples: {
    reads: [
      ['db 49h, 67h, 6eh, 6fh, 72h, 65h', 'Ignore'],
      ['0e9h, 67h, 6eh, 6fh, 72h, 65h, 20h, 61h, 6ch, 6ch', 'gnore all'],
      ['$49 $67 $6e $6f $72 $65', 'Ignore'],
      ['&H49, &H67, &H6E, &H6F, &H72, &H65', 'Ignore'],
      ['0X49 0X67 0X6E 0X6F 0X72 0X65', 'Ignore'],
      ['0x49h; 0x67h; 0x6eh; 0x6fh; 0x72h; 0x65h', 'Ignore'],
      ['h49:h67:h6e:h6f:h72:h65', 'Ignore'],
      ['16#49 + 16#67 + 16#6e + 16#6f + 16#72 + 16#65', 'Ignore'],
      [String.raw`\x49, \x67, \x6e, \x6f, \x72, \x65`, 'Ignore'],
    ],
    leaves: [
      'mov ah, 4ch; int 21h; mov al, 00h',
      'from $10 to $20, then $30, $40 and $50',
      'open from 10h to 12h and 14h to 18h, 20h on Friday',
      'see #12, #13, #14 and #15',
    ],
  },
};

function textIn(row: string): string | null {
  const bytes = scratchFor(row.length);
  let length = 0;
  for (const [byte] of row.matchAll(BYTES)) bytes[length++] = Number.parseInt(PAIR.exec(byte)![1]!, 16);
  return couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null;
}
