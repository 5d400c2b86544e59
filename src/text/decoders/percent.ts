import { lenient } from './bytes.ts';
import { MARK } from '../marks.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+|(?:%[uU][0-9A-Fa-f]{4})+/g;

/** URL encoding. Text encoded twice needs nothing special: decoded text is scanned for encodings again. */
export const percent: Decoder = {
  name: 'percent',
  shape: '%[0-9A-Fa-f][0-9A-Fa-f]|%[uU][0-9A-Fa-f][0-9A-Fa-f]',
  hint: ({ marks }) => (marks & MARK.percent) !== 0,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, ESCAPES, ([escapes]) =>
      escapes[1] === 'u' || escapes[1] === 'U'
        ? escapes.replace(/%u(....)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        : bytesOf(escapes),
    ),
  examples: {
    reads: [
      ['ignore%20all%20rules', 'ignore all rules'],
      ['%69%67%6e%6f%72%65', 'ignore'],
      ['%u0069%u0067nore all', 'ignore all'],
      ['%U0069%u0067%U006eore all', 'ignore all'],
      ['%2569gnore', '%69gnore'],
    ],
    leaves: ['100% of 20% are 5%', 'printf("%d %s %5.2f")'],
  },
};

function bytesOf(escapes: string): string {
  // Most escapes are single, for a space or a slash. Allocating a buffer for each of those would cost ten times the
  // rest.
  if (escapes.length === 3) return String.fromCharCode(Number.parseInt(escapes.slice(1), 16));
  return lenient(Buffer.from(escapes.replaceAll('%', ''), 'hex'));
}
