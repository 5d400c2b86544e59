import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Strings that a program would join: whoever reads the program reads them joined. */
const JOINT = /(["'`])\s{0,8}(?:\+|\.|&|\|\||\\\n)\s{0,8}["'`]/g;
const LIST_JOINT = /(["'`])\s{0,8}(?:[+.&,]|\|\|)\s{0,8}["'`]/g;
const QUOTE = '["\'`]';

export const concatenation: Decoder = {
  name: 'concatenation',
  shape: `${QUOTE}\\s*(?:\\+|\\.|&|\\|\\|)\\s*${QUOTE}|\\.join\\s*\\(|join\\(\\s*\\[`,
  hint: ({ marks }, text) => (marks & MARK.joint) !== 0 || ((marks & MARK.listJoint) !== 0 && text.includes('join')),
  inline: true,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = stitch(text, text.includes('join') ? LIST_JOINT : JOINT, () => '');
    return pieces;
  },
  examples: {
    reads: [
      [`'igno' + 're all'`, 'ignore all'],
      [`"ign" . "ore"`, 'ignore'],
      [`["ig", "no", "re"].join("")`, 'ignore'],
    ],
    leaves: [`["red", "green"]`, `{"a": "b"}`, `x + y`],
  },
};
