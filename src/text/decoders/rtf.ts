import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Escapes of rich text (RTF): bytes in hex, `\'69\'67`, and codes in decimal with a question mark for programs that cannot
 * show them, `\u105?\u103?`. A single byte counts only inside a word and as a letter or digit: `\'` also quotes an
 * apostrophe, and what follows it in `l\'eau` looks like hex.
 */
const ESCAPE = /((?:\\'[0-9A-Fa-f]{2}){2,}|(?<=[A-Za-z])\\'[2-7][0-9A-Fa-f])|\\u([1-9][0-9]{1,4})\s?\?/g;
const LARGEST = 0xffff;

export const rtf: Decoder = {
  name: 'rtf',
  shape: String.raw`\\'[0-9A-Fa-f][0-9A-Fa-f]|\\u[1-9][0-9]+\s?\?`,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, ESCAPE, ([, bytes, code]) => {
      if (bytes !== undefined) return Buffer.from(bytes.replaceAll("\\'", ''), 'hex').toString('latin1');
      return Number(code) <= LARGEST ? String.fromCharCode(Number(code)) : null;
    }),
  examples: {
    reads: [
      [String.raw`{\rtf1\ansi \'69\'67\'6e\'6f\'72\'65}`, 'ignore'],
      [String.raw`{\rtf1 ign\'6fre all}`, 'ignore all'],
      [String.raw`\u105?\u103?\u110?ore`, 'ignore'],
      [String.raw`\u1080?\u1075?\u1085?`, 'игн'],
    ],
    leaves: [String.raw`'l\'eau et l\'air'`, String.raw`'the \'60s'`, String.raw`\u0069`, String.raw`C:\users\u12`],
  },
};
