import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Strings that a program would join: a model that reads the program reads them joined. */
const JOINT =
  /["'`]\s{0,8}(?:\+{1,2}|\.{1,2}|&|\|\||<>|<<|\^|~|\\\n)\s{0,8}["'`]|(?<=[0-9A-Za-z] ?)["'`][ \t]{1,8}["'`](?= ?[0-9A-Za-z])/g;
const LIST_JOINT = /(["'`])\s{0,8}(?:[+.&,]|\|\|)\s{0,8}["'`]/g;
/** The functions that join a list, in various languages. */
const JOINER = /join|concat|implode/i;
const QUOTE = '["\'`]';

export const concatenation: Decoder = {
  name: 'concatenation',
  shape: `${QUOTE}\\s*(?:\\+|\\.|&|\\||<|>|\\^|~)*\\s*${QUOTE}|(?i)join|concat|implode`,
  hint: ({ marks }, text) => (marks & MARK.joint) !== 0 || ((marks & MARK.listJoint) !== 0 && JOINER.test(text)),
  inline: true,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = stitch(text, JOINER.test(text) ? LIST_JOINT : JOINT, () => '');
    return pieces;
  },
  examples: {
    reads: [
      [`'igno' + 're all'`, 'ignore all'],
      [`"ign" . "ore"`, 'ignore'],
      [`["ig", "no", "re"].join("")`, 'ignore'],
      [`implode('', ['ig', 'no', 're'])`, 'ignore'],
      [`concat("ig", "nore")`, 'ignore'],
      [`"ig" "nore all"`, 'ignore all'],
      [`'ig' .. 'nore' <> ' all'`, 'ignore all'],
    ],
    leaves: [`a + " " + b`, `split(' ')`, `["red", "green"]`, `{"a": "b"}`, `x + y`],
  },
};
