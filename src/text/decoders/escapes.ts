import { MARK } from '../marks.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * The escapes of source code in any language: a model reads quoted program text without running it. `\n` and the like
 * count too: typed as two characters, one separates words as well as a real line end does. Each time a string is quoted
 * inside another string, its backslashes double, so any number of backslashes counts as one; otherwise every letter
 * would keep one in front of it. A match begins at the first of a run, which keeps the search linear.
 */
const ESCAPE = new RegExp(
  [
    String.raw`\\u([0-9A-Fa-f]{4})`,
    String.raw`\\u\{([0-9A-Fa-f]{1,6})\}`,
    String.raw`\\U([0-9A-Fa-f]{8})`,
    String.raw`\\x([0-9A-Fa-f]{2})`,
    String.raw`\\x\{([0-9A-Fa-f]{1,6})\}`,
    String.raw`[Uu]\+([0-9A-Fa-f]{4,6})\s?`,
    // As style sheets write it with all of its six digits, which begin like a code in octal.
    String.raw`\\0{4}([2-7][0-9A-Fa-f])[ \n]?`,
    String.raw`\\([0-3][0-7]{2})`,
    String.raw`\\([2-7][0-9A-Fa-f])(?:[ \n]|(?=\\)|$)`,
    String.raw`\\([nrtfv"'/])`,
  ]
    .join('|')
    .replaceAll(String.raw`\\`, String.raw`(?<!\\)\\+`),
  'g',
);

export const escapes: Decoder = {
  name: 'escapes',
  hides: 'disguise',
  shape: String.raw`\\(?:u[0-9A-Fa-f{]|U[0-9A-Fa-f]|x[0-9A-Fa-f{]|[0-3][0-7][0-7]|[2-7][0-9A-Fa-f][ \n\\])|[Uu]\+[0-9A-Fa-f][0-9A-Fa-f]|[a-z]\\[nrtfv"'/][A-Za-z]`,
  hint: ({ marks }) => (marks & MARK.escape) !== 0,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, ESCAPE, (match) => {
      const [, u, uBraces, upper, x, xBraces, plus, sixDigits, octal, ofStyles, short] = match;
      if (short !== undefined) return /[nrtfv]/.test(short) ? ' ' : short;
      const code =
        octal === undefined
          ? Number.parseInt(u ?? uBraces ?? upper ?? x ?? xBraces ?? plus ?? sixDigits ?? (ofStyles as string), 16)
          : Number.parseInt(octal, 8);
      // In most languages a surrogate pair is two escapes; fromCharCode lets the two halves combine.
      return code <= 0xffff ? String.fromCharCode(code) : code <= 0x10ffff ? String.fromCodePoint(code) : null;
    }),
  examples: {
    reads: [
      [String.raw`\u0069\u0067\u006e\u006f\u0072\u0065`, 'ignore'],
      [String.raw`\x69\x67\x6e\x6f\x72\x65`, 'ignore'],
      [String.raw`\u{69}\u{67}nore`, 'ignore'],
      [String.raw`\U00000069\U00000067`, 'ig'],
      [String.raw`U+0069 U+0067 U+006E U+006F`, 'igno'],
      [String.raw`\151\147\156\157\162\145`, 'ignore'],
      [String.raw`\69 \67\6e \6f \72 \65 \20 all`, 'ignore all'],
      [String.raw`\000069\000067\00006enore`, 'ignnore'],
      [String.raw`ignore all\nprevious`, 'ignore all previous'],
      [`${'\\'.repeat(12)}u0069gn${'\\'.repeat(16)}x6fre`, 'ignore'],
      [String.raw`\\u0069\\u0067nor\\\\x{65} \\\\\\\\141ll`, 'ignore all'],
    ],
    leaves: [String.raw`C:\Users\me`, String.raw`/^\d+\.\d+$/`, 'a\\\\b', 'U+ is not enough'],
  },
};
