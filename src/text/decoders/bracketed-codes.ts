import { couldBeText, eachOf, scratchFor, textOf } from './bytes.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { rowsOfCodes } from './rows-of-codes.ts';

/** Character codes each in brackets of its own, as logs, datasheets and ciphers write them: `<49><67>`, `[105] [103]`. */
const DIGITS = '(?:0[xX])?[0-9A-Fa-f][0-9A-Fa-f]+';
const CODE = `(?:<${DIGITS}>|\\[${DIGITS}\\]|\\(${DIGITS}\\)|\\{${DIGITS}\\})`;
const IN_A_ROW = 4;
const CODES =
  /(?:<(?:0[xX])?[0-9A-Fa-f]{2,4}>|\[(?:0[xX])?[0-9A-Fa-f]{2,4}\]|\((?:0[xX])?[0-9A-Fa-f]{2,4}\)|\{(?:0[xX])?[0-9A-Fa-f]{2,4}\})/g;
const BETWEEN = /^[\s,;|+.-]*$/;
const LEAST_CODES = 6;
const BASES = [10, 16, 8];
const VALID = { 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9A-Fa-f]+$/ } as Readonly<Record<number, RegExp>>;

export const bracketedCodes: Decoder = {
  name: 'bracketed-code',
  hides: 'disguise',
  shape: Array.from({ length: IN_A_ROW }, () => CODE).join('[\\s,;|+.-]*'),
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    for (const { start, end } of rowsOfCodes(text, CODES, BETWEEN, LEAST_CODES)) {
      const row = text.slice(start, end);
      const plain = eachOf(BASES.map((base) => textIn(row, base)));
      if (plain !== null) pieces.push({ text: plain, start, end });
    }
    return pieces;
  },
  examples: {
    reads: [
      ['<49><67><6e><6f><72><65>', 'Ignore'],
      ['[73][103][110][111][114][101]', 'Ignore'],
      ['(0x69), (0x67), (0x6e), (0x6f), (0x72), (0x65)', 'ignore'],
      ['{69} {67} {6e} {6f} {72} {65}', 'ignore'],
      ['[151][147][156][157][162][145]', 'ignore'],
    ],
    leaves: [
      'as shown in [10][11][12][13][14][15]',
      'f(10)(20)(30)(40)',
      '<br><hr><p>',
      'a[10] = b[20] + c[30] + d[40] + e[50] + f[60]',
    ],
  },
};

/** The codes as text of one base; null if they are none. */
function textIn(row: string, base: number): string | null {
  const bytes = scratchFor(row.length);
  let length = 0;
  for (const [code] of row.matchAll(CODES)) {
    const value = valueOf(code.slice(1, -1), base);
    if (value === null || value > 255) return null;
    bytes[length++] = value;
  }
  return couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null;
}

function valueOf(code: string, base: number): number | null {
  const isMarked = /^0x/i.test(code);
  const digits = isMarked ? code.slice(2) : code;
  if ((isMarked && base !== 16) || !(VALID[base] as RegExp).test(digits)) return null;
  return Number.parseInt(digits, base);
}
