import { inPlace } from '../in-place.ts';
import { MARK } from '../marks.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { entities } from './entities.ts';
import { escapes } from './escapes.ts';
import { percent } from './percent.ts';
import { quotedPrintable } from './quoted-printable.ts';
import { inReverse, wordsReversed } from './reversed-text.ts';

/** Escapes written backwards, as a whole or word by word: `;501#&`, `96%76%`, `96x\76x\`, `9600u\`. */
const HEX = '[0-9A-Fa-f]';
const SOURCES = [
  `;${HEX}{2,5}x?#&`,
  `${HEX}{2}%`.repeat(2),
  '[0-9A-F]{2}='.repeat(2),
  `${HEX}{2}x\\\\`,
  `\\}${HEX}{2,6}\\{[ux]\\\\`,
  `${HEX}{4}u\\\\`,
  '[0-7]{2}[01]\\\\[0-7]{2}[01]\\\\',
  '[0-9A-F]{4}\\+U',
];
/**
 * For the shape, two escapes in a row are required where the source repeats itself. Once it has matched, each single
 * escape counts.
 */
const TURNED = new RegExp(SOURCES.map((source) => source.replace(/^(.+)\1$/, '$1')).join('|'), 'g');
/** Escapes farther apart than this are separate; text between closer ones is reversed with them. */
const NEAR = 64;
const LEAST = 6;
const LETTERS = 0.6;
const DECODERS = [percent, entities, escapes, quotedPrintable];

export const turnedEscapes: Decoder = {
  name: 'turned-escapes',
  hides: 'disguise',
  shape: SOURCES.join('|'),
  hint: ({ marks }) => (marks & MARK.turnedEscape) !== 0,
  suspicion: 0.2,
  decode: (text) => {
    const pieces: Decoded[] = [];
    let start = -1;
    let end = -1;
    const close = (): void => {
      if (start < 0) return;
      const code = text.slice(start, end);
      const plain = read(inReverse(code)) ?? (/\s/.test(code) ? read(wordsReversed(code)) : null);
      if (plain !== null) pieces.push({ text: plain, start, end });
    };
    TURNED.lastIndex = 0;
    for (let match = TURNED.exec(text); match !== null; match = TURNED.exec(text)) {
      if (start < 0 || match.index - end > NEAR) {
        close();
        start = match.index;
      }
      end = match.index + match[0].length;
    }
    close();
    return pieces;
  },
  examples: {
    reads: [
      ['56%27%f6%e6%76%96%', 'ignore'],
      [';101#&;411#&;111#&;011#&;301#&;501#&', 'ignore'],
      [String.raw`56x\27x\f6x\e6x\76x\96x\\`, 'ignore'],
    ],
    leaves: ['20%20%20%20%20%', '100%, 50% and 20%', String.raw`C:\0x\00u\temp`, 'a=10=20='],
  },
};

/**
 * Most of the decoded characters must be letters: the reversed digits of ordinary escapes give arbitrary characters.
 */
function read(code: string): string | null {
  for (const decoder of DECODERS) {
    const pieces = decoder.decode(code);
    if (pieces.length === 0) continue;
    const plain = inPlace(code, pieces);
    if (plain.length < LEAST || plain.length * 2 > code.length) continue;
    if ((plain.match(/[\p{L}\p{N} ]/gu)?.length ?? 0) >= LETTERS * plain.length) return plain;
  }
  return null;
}
