import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Characters that a program builds from their codes and joins: `chr(105) + chr(103)`, `CHAR(105) || CHAR(0x67)`. */
const LEAST = 4;
const CALL = String.raw`(?:chr|chrw|char|nchar)\(\s{0,4}(?:0x[0-9a-f]{2,5}|[0-9]{2,7})\s{0,4}\)`;
const CALLS = new RegExp(String.raw`(?<![a-z])${CALL}(?:\s{0,4}(?:[+.&,]|\|\|)\s{0,4}${CALL}){${LEAST - 1},}`, 'gi');
const CODE = /\(\s*(0x)?([0-9a-f]+)/gi;
const LARGEST = 0x10ffff;

export const charCalls: Decoder = {
  name: 'char-calls',
  shape: String.raw`(?i)\b(?:chrw?|n?char)\(\s*(?:0x)?[0-9a-f]+\s*\)\s*(?:[+.&,]|\|\|)\s*(?:chrw?|n?char)\(`,
  suspicion: 0,
  decode: (text) =>
    stitch(text, CALLS, ([calls]) => {
      const codes = Array.from(calls.matchAll(CODE), ([, sign, digits]) =>
        Number.parseInt(digits!, sign === undefined ? 10 : 16),
      );
      return codes.every((code) => code <= LARGEST) ? codes.map((code) => String.fromCodePoint(code)).join('') : null;
    }),
  examples: {
    reads: [
      ['chr(105)+chr(103)+chr(110)+chr(111)+chr(114)+chr(101)', 'ignore'],
      ['CHAR(105) || CHAR(103) || CHAR(110) || CHAR(111)', 'igno'],
      ['chr(0x69) . chr(0x67) . chr(0x6e) . chr(0x6f)', 'igno'],
    ],
    leaves: ['chr(65)', 'char(10) name', 'chr(13) + chr(10)', 'CHAR(20), VARCHAR(30)'],
  },
};
