import { MARK } from '../marks.ts';
import type { Decoder } from './decoder.ts';
import { NAMED } from './entity-names.ts';
import { stitch } from './stitch.ts';

/** HTML character references. Browsers accept any number of zeroes before the number. */
const ENTITY = /&(?:#0*([0-9]{1,7})|#[xX]0*([0-9A-Fa-f]{1,6})|([A-Za-z]{2,16}));?/g;

export const entities: Decoder = {
  name: 'entities',
  hides: 'disguise',
  shape: '&(?:#[0-9xX]|[A-Za-z]+;)',
  hint: ({ marks }) => (marks & MARK.entity) !== 0,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, ENTITY, ([all, decimal, hexadecimal, name]) => {
      if (name !== undefined) return all.endsWith(';') ? (NAMED.get(name) ?? null) : null;
      const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number.parseInt(decimal, 10);
      return code > 0x10ffff ? null : String.fromCodePoint(code);
    }),
  examples: {
    reads: [
      ['&#105;&#103;&#110;&#111;&#114;&#101;', 'ignore'],
      ['&#x69;&#x67;nore all', 'ignore all'],
      ['ignore&nbsp;all', 'ignore all'],
      ['&#105&#103nore', 'ignore'],
      ['&#0000000105;&#x0000000067;nore', 'ignore'],
    ],
    leaves: ['AT&T and R&D', 'a && b & c', '?a=1&copy=2&section=3', '&unknown;'],
  },
};
