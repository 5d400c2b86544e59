import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Tags and emphasis marks in the middle of words; a rendered page shows the word without them. */
const INLINE =
  'a|abbr|b|bdi|bdo|big|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr';
const BLOCK =
  'br|p|div|li|ul|ol|td|tr|th|table|h[1-6]|body|html|head|section|article|pre|blockquote|details|summary|title';
/**
 * Longest comment in the middle of a word; such a comment may contain anything but its end. Elsewhere, tags in comments
 * are read themselves.
 */
const LONGEST_COMMENT = 256;
/** A tag with any name, if it is in the middle of a word. */
const IN_WORD = '(?<=[A-Za-z])(</?[A-Za-z][A-Za-z0-9_-]{0,24}\\s?/?>)(?=[A-Za-z])';
/** A processing instruction, which pages do not show. */
const INSTRUCTION = '(?<=[A-Za-z])<\\?[^<>]{0,80}\\?>(?=[A-Za-z])';
const TAG = new RegExp(
  `${INSTRUCTION}|</?(?:(${INLINE})|${BLOCK})(?:[\\s/][^<>]*)?>|<!--(?:[^-<>]|-[^-<>])*-->|(?<=[A-Za-z])<!--(?:(?!-->)[^]){0,${LONGEST_COMMENT}}-->(?=[A-Za-z])|(?<=[A-Za-z])(?:\\*{1,3}|~~|\`)(?=[A-Za-z])|${IN_WORD}`,
  'gi',
);
const TAGGED = new RegExp(`[a-z]<\\?|</?(?:${INLINE}|${BLOCK})[\\s/>]|<!--|${IN_WORD}`, 'i');

export const markup: Decoder = {
  name: 'markup',
  shape: `(?i)[a-z]<\\?|</?(?:${INLINE}|${BLOCK})[\\s/>]|[A-Za-z]</?[A-Za-z]|[a-z](?:<!--|\\*\\*?|~~|\`)[a-z]|[a-z]<!--`,
  hint: ({ marks }, text) => (marks & MARK.emphasis) !== 0 || ((marks & MARK.tag) !== 0 && TAGGED.test(text)),
  inline: true,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = stitch(text, TAG, ([tag, inline, inWord]) =>
      inline !== undefined || inWord !== undefined || !/[A-Za-z]/.test(tag) || /^<[!?]/.test(tag) ? '' : ' ',
    );
    return pieces;
  },
  examples: {
    reads: [
      ['ig<b>no</b>re', 'ignore'],
      ['ig**no**re', 'ignore'],
      ['ig<!-- x -->nore', 'ignore'],
      ['ig<!-- a > b -- <i> -->nore', 'ignore'],
      // The sender can write anything into attributes, so text is never left out because of them.
      ['ig<b style="overflow:hidden">no</b>re', 'ignore'],
      ['ig<b title="a hidden gem">no</b>re', 'ignore'],
      ['ig<b data-x="display:none">no</b>re', 'ignore'],
      ['ig<?x y?>nore', 'ignore'],
      ['ignore<br>all', 'ignore all'],
      ['ig<SPLIT>nore a<x-1/>ll', 'ignore all'],
    ],
    leaves: ['if (a < b && c > d)', 'Array<string>', 'a * b * c', '2**10'],
  },
};
