import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Characters that TeX sets by their number: `\char105\char"67`, `\symbol{110}`. */
const CODE = /\\(?:char\s?|symbol\{)(?:([0-9]{2,3})|"([0-9A-F]{2})|'([0-7]{2,3}))(?:\}|\\relax|\s(?=\\|$)|\s?\{\})?/g;

export const texCodes: Decoder = {
  name: 'tex-code',
  hides: 'disguise',
  shape: String.raw`\\(?:char\s?|symbol\{)["']?[0-9A-F][0-9A-F]`,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, CODE, ([, decimal, hex, octal]) =>
      String.fromCharCode(
        decimal === undefined ? Number.parseInt(hex ?? octal!, hex === undefined ? 8 : 16) : Number(decimal),
      ),
    ),
  examples: {
    reads: [
      [String.raw`\char105 \char103 \char110 \char111 \char114 \char101`, 'ignore'],
      [String.raw`\char"69\char"67\char'156ore`, 'ignore'],
      [String.raw`\symbol{105}\symbol{103}nore`, 'ignore'],
    ],
    leaves: [String.raw`\char`, String.raw`\charset{utf8}`, String.raw`\symbol{alpha}`, 'char 65'],
  },
};
