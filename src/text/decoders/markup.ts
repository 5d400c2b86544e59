import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/** Tags and emphasis in the middle of words, which a page shows as if they were not there. */
const INLINE =
  'a|abbr|b|bdi|bdo|big|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr';
const BLOCK =
  'br|p|div|li|ul|ol|td|tr|th|table|h[1-6]|body|html|head|section|article|pre|blockquote|details|summary|title';
/** Of a comment in the middle of a word, which may hold anything but its own end; elsewhere, tags in it are read by themselves. */
const LONGEST_COMMENT = 256;
/** Of any name, where it stands in the middle of a word. */
const IN_WORD = '(?<=[A-Za-z])(</?[A-Za-z][A-Za-z0-9_-]{0,24}\\s?/?>)(?=[A-Za-z])';
/** What is not shown is read by itself elsewhere; here it is what a page shows that is read, as if it were not there. */
const UNSHOWN =
  '<([a-z][a-z0-9]{0,15})\\b(?=[\\s][^<>]{0,200}(?:\\bhidden\\b|display\\s*:\\s*none|font-size\\s*:\\s*0|opacity\\s*:\\s*0(?![.\\d])))[^<>]{0,300}>[^<>]{0,80}</\\1\\s*>';
const INSTRUCTION = '(?<=[A-Za-z])<\\?[^<>]{0,80}\\?>(?=[A-Za-z])';
const TAG = new RegExp(
  `${UNSHOWN}|${INSTRUCTION}|</?(?:(${INLINE})|${BLOCK})(?:[\\s/][^<>]*)?>|<!--(?:[^-<>]|-[^-<>])*-->|(?<=[A-Za-z])<!--(?:(?!-->)[^]){0,${LONGEST_COMMENT}}-->(?=[A-Za-z])|(?<=[A-Za-z])(?:\\*{1,3}|~~|\`)(?=[A-Za-z])|${IN_WORD}`,
  'gi',
);
const TAGGED = new RegExp(`\\shidden\\b|style\\s*=|[a-z]<\\?|</?(?:${INLINE}|${BLOCK})[\\s/>]|<!--|${IN_WORD}`, 'i');

export const markup: Decoder = {
  name: 'markup',
  shape: `(?i)\\shidden\\b|style\\s*=|[a-z]<\\?|</?(?:${INLINE}|${BLOCK})[\\s/>]|[A-Za-z]</?[A-Za-z]|[a-z](?:<!--|\\*\\*?|~~|\`)[a-z]|[a-z]<!--`,
  hint: ({ marks }, text) => (marks & MARK.emphasis) !== 0 || ((marks & MARK.tag) !== 0 && TAGGED.test(text)),
  inline: true,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = stitch(text, TAG, ([tag, unshown, inline, inWord]) =>
      unshown !== undefined ||
      inline !== undefined ||
      inWord !== undefined ||
      tag.startsWith('<?') ||
      !/[A-Za-z]/.test(tag) ||
      tag.startsWith('<!')
        ? ''
        : ' ',
    );
    return pieces;
  },
  examples: {
    reads: [
      ['ig<b>no</b>re', 'ignore'],
      ['ig**no**re', 'ignore'],
      ['ig<!-- x -->nore', 'ignore'],
      ['ig<!-- a > b -- <i> -->nore', 'ignore'],
      ['ig<span hidden>xz</span>nore<i style="display:none"> rain</i> all', 'ignore all'],
      ['ig<?x y?>nore', 'ignore'],
      ['ignore<br>all', 'ignore all'],
      ['ig<SPLIT>nore a<x-1/>ll', 'ignore all'],
    ],
    leaves: ['if (a < b && c > d)', 'Array<string>', 'a * b * c', '2**10'],
  },
};
