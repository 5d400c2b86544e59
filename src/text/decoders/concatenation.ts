import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Strings that a program would join: a model that reads the program reads them joined. */
const QUOTE = '["\'`]';
const OPERATORS = String.raw`\+{1,2}|\.{1,2}|&|\|\||<>|<<|\^|~|\\\n`;
const JOINT = jointOf(OPERATORS);
const JOINT_OR_COMMA = jointOf(`${OPERATORS}|,`);
/** The functions that join a list, in various languages. Only in their company does a comma join strings. */
const JOINER = /join|concat|implode/i;

export const concatenation: Decoder = {
  name: 'concatenation',
  shape: `${QUOTE}\\s*(?:\\+|\\.|&|\\||<|>|\\^|~)*\\s*${QUOTE}|(?i)join|concat|implode`,
  hint: ({ marks }, text) => (marks & MARK.joint) !== 0 || ((marks & MARK.listJoint) !== 0 && JOINER.test(text)),
  inline: true,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = stitch(text, JOINER.test(text) ? JOINT_OR_COMMA : JOINT, () => '');
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
      [`join "ig" <> "nore" " all"`, 'ignore all'],
    ],
    leaves: [`a + " " + b`, `split(' ')`, `["red", "green"]`, `{"a": "b"}`, `x + y`],
  },
};

/** The end of a string, an operator that joins, and the start of the next; or two strings with only blanks between. */
function jointOf(operators: string): RegExp {
  const operated = String.raw`${QUOTE}\s{0,8}(?:${operators})\s{0,8}${QUOTE}`;
  const adjacent = String.raw`(?<=[0-9A-Za-z] ?)${QUOTE}[ \t]{1,8}${QUOTE}(?= ?[0-9A-Za-z])`;
  return new RegExp(`${operated}|${adjacent}`, 'g');
}
