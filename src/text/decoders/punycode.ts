import { domainToUnicode } from 'node:url';
import { MARK } from '../marks.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

const LABEL = /\bxn--[a-z0-9-]{1,59}/gi;

/**
 * Shows internationalized host names decoded, as a model that knows the encoding reads them: `xn--mnchen-3ya` ->
 * `münchen`.
 */
export const punycode: Decoder = {
  name: 'punycode',
  shape: '[xX][nN]--[0-9A-Za-z]',
  hint: ({ marks }) => (marks & MARK.punycode) !== 0,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, LABEL, ([label]) => {
      const shown = domainToUnicode(label.toLowerCase());
      return shown === '' || shown.startsWith('xn--') ? null : shown;
    }),
  examples: {
    reads: [['http://xn--mnchen-3ya.de/', 'münchen']],
    leaves: ['xn--', 'xn--99999999999999'],
  },
};
