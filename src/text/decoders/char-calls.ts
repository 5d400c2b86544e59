import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Characters that a program builds from their codes and joins: `chr(105) + chr(103)`, `CHAR(105) || CHAR(0x67)`,
 * `[char]105 + [char]103`, `105.chr + 103.chr`.
 */
const LEAST = 4;
const CODE_OF = String.raw`(?:0x[0-9a-f]{2,5}|[0-9]{2,7})`;
const NAMES = String.raw`(?:chrw?\$?|n?char|unichar|(?:string\.)?from(?:charcode|codepoint))`;
const CALL = String.raw`(?:${NAMES}\(\s{0,4}${CODE_OF}\s{0,4}\)|(?:\[char\]|\(char\))\s?${CODE_OF}|${CODE_OF}\.chr(?:\(\))?)`;
const CALLS = new RegExp(
  String.raw`(?<![a-z0-9])${CALL}(?:\s{0,4}(?:[+.&,]|\|\||\.\.)\s{0,4}${CALL}){${LEAST - 1},}`,
  'gi',
);
const CODE = /(?<![a-z0-9])(0x)?([0-9a-f]{2,})(?![a-z0-9])/gi;
const LARGEST = 0x10ffff;

export const charCalls: Decoder = {
  name: 'char-calls',
  shape: String.raw`(?i)(?:\b${NAMES}\(\s*(?:0x)?[0-9a-f]+\s*\)|[\[(]char[\])]\s?(?:0x)?[0-9a-f]+|[0-9]\.chr\b(?:\(\))?)\s*(?:[+.&,]|\|\||\.\.)\s*[(\[a-z0-9]`,
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
      ['String.fromCharCode(105)+String.fromCharCode(103)+String.fromCharCode(110)+String.fromCharCode(111)', 'igno'],
      ['[char]105+[char]103+[char]110+[char]0x6f', 'igno'],
      ['Chr$(105) & Chr$(103) & Chr$(110) & Chr$(111)', 'igno'],
      ['=UNICHAR(105)&UNICHAR(103)&UNICHAR(110)&UNICHAR(111)', 'igno'],
      ['(char)105+(char)103+(char)110+(char)111', 'igno'],
      ['105.chr + 103.chr + 110.chr + 111.chr', 'igno'],
    ],
    leaves: ['chr(65)', 'char(10) name', 'chr(13) + chr(10)', 'CHAR(20), VARCHAR(30)'],
  },
};
