import type { Decoded, Decoder } from './decoder.ts';
import { worded } from './spelling.ts';

/** The spelling alphabet of NATO, with common variants: each word stands for its first letter. */
const NAMES =
  'alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray x-ray yankee zulu';
const ALL = new Set(NAMES.split(' '));
const WORD = /[A-Za-z]+(?:-[Rr]ay)?/g;
/** Longest distance between two words of one spelling: a space, a comma and a space, a line end. */
const APART = 4;
const LEAST = 4;
const BETWEEN = `[^0-9A-Za-z]{1,${APART}}`;
const ANY = `(?:${NAMES.split(' ').join('|')})`;

export const spellingAlphabet: Decoder = {
  name: 'spelling-alphabet',
  hides: 'cipher',
  shape: `(?i)\\b${ANY}${BETWEEN}${ANY}${BETWEEN}${ANY}`,
  suspicion: 0,
  decode: (text) => {
    const pieces: Decoded[] = [];
    let letters = '';
    let gaps: string[] = [];
    let start = 0;
    let end = 0;
    const close = (): void => {
      if (letters.length >= LEAST) pieces.push({ text: worded({ letters, gaps }), start, end });
      letters = '';
      gaps = [];
    };
    for (const match of text.matchAll(WORD)) {
      if (!ALL.has(match[0].toLowerCase())) {
        close();
        continue;
      }
      if (match.index - end > APART) close();
      if (letters === '') start = match.index;
      else gaps.push(text.slice(end, match.index));
      letters += match[0].charAt(0).toLowerCase();
      end = match.index + match[0].length;
    }
    close();
    return pieces;
  },
  examples: {
    reads: [
      ['India Golf November Oscar Romeo Echo Alfa Lima Lima', 'ignore all'],
      ['India → Golf → November → Oscar → Romeo → Echo', 'ignore'],
      ['ROMEO_UNIFORM_LIMA_ECHO', 'rule'],
    ],
    leaves: ['Hotel India is in Lima, Oscar said', 'the delta of the Victor river', 'alpha and bravo versions'],
  },
};
