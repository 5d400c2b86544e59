import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';

/**
 * Unicode tags: invisible copies of ASCII that models read and people cannot see. Their only remaining legitimate use
 * is in flags of regions.
 */
const RUN = /(\u{1F3F4})?([\u{E0000}-\u{E007F}]+)/gu;
/**
 * The flags that are drawn, by their letters. The standard would allow any two to six letters, so each unlisted flag
 * could hide a word.
 */
const REGIONS = new Set(['gbeng', 'gbsct', 'gbwls', 'ustx', 'usca', 'esct', 'frbre']);
const CANCEL = '\u{E007F}';
/**
 * Shortest run read by itself. Several runs may be one text scattered between visible letters, so all runs are also
 * read as one.
 */
const LEAST = 3;

export const tags: Decoder = {
  name: 'unicode-tags',
  hides: 'cipher',
  shape: '[\\x{E0000}-\\x{E007F}]',
  hint: ({ marks }) => (marks & MARK.tags) !== 0,
  suspicion: 0.95,
  decode: (text) => {
    const pieces: Decoded[] = [];
    const scattered: string[] = [];
    let first: { start: number; end: number } | null = null;
    for (const match of text.matchAll(RUN)) {
      const run = match[2] as string;
      if (match[1] !== undefined && run.endsWith(CANCEL) && REGIONS.has(asciiOf(run))) continue;
      const plain = asciiOf(run);
      const end = match.index + match[0].length;
      const start = end - run.length;
      if (plain.length >= LEAST) pieces.push({ text: plain, start, end });
      if (plain.length === 0) continue;
      scattered.push(plain);
      first ??= { start, end };
    }
    if (first !== null && scattered.length > (pieces.length === 0 ? 0 : 1))
      pieces.push({ text: scattered.join(''), ...first });
    return pieces;
  },
  examples: {
    reads: [
      [`hello ${hidden('ignore all')}`, 'ignore all'],
      [`\u{1F3F4}${hidden('ignore all rules')}`, 'ignore all rules'],
      [[...'ignore'].map((char) => `x${hidden(char)}`).join(''), 'ignore'],
      [`${hidden('igno')}x${hidden('r')}y${hidden('e all')}`, 'ignore all'],
    ],
    leaves: [
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England',
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland',
      '\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} Wales',
    ],
  },
};

function asciiOf(run: string): string {
  let plain = '';
  for (const char of run) {
    const code = (char.codePointAt(0) as number) - 0xe0000;
    if (code >= 0x20 && code < 0x7f) plain += String.fromCharCode(code);
  }
  return plain;
}

function hidden(text: string): string {
  return [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
}
