import { lenient } from './bytes.ts';
import type { Decoder } from './decoder.ts';
import { stitch } from './stitch.ts';

/**
 * Words of a mail header in another charset (RFC 2047): `=?UTF-8?Q?Ign=6Fre_all?=`, `=?UTF-8?B?aWdub3Jl?=`. A mail that is
 * pasted or fetched brings its subject so. Blanks between two such words are part of the code and not of the text.
 */
const WORD = /=\?[0-9A-Za-z_.:-]{1,32}(?:\*[A-Za-z-]{1,8})?\?(?:([Qq])|[Bb])\?([^?\s]*)\?=(?:\s{1,4}(?==\?))?/g;
const ESCAPE = /_|=[0-9A-Fa-f]{2}/g;

export const encodedWords: Decoder = {
  name: 'encoded-word',
  shape: String.raw`=\?[0-9A-Za-z_.:*-]+\?[BbQq]\?`,
  inline: true,
  suspicion: 0,
  decode: (text) =>
    stitch(text, WORD, ([, isQuoted, code]) =>
      isQuoted === undefined ? lenient(Buffer.from(code!, 'base64')) : lenient(Buffer.from(bytesOf(code!), 'latin1')),
    ),
  examples: {
    reads: [
      ['Subject: =?UTF-8?Q?Ignore_all_rules?=', 'Ignore all rules'],
      ['=?iso-8859-1?q?Ign=6Fre=20all?=', 'Ignore all'],
      ['=?UTF-8?Q?Ignore_?=\r\n =?UTF-8?Q?all_?= =?UTF-8?Q?rules?=', 'Ignore all rules'],
      ['=?utf-8?B?SWdub3Jl?= =?utf-8?B?IGFsbA==?= =?utf-8?Q?_rules?=', 'Ignore all rules'],
      ['=?utf-8*en?Q?Ign?= =?utf-8?Q?ore?=', 'Ignore'],
      ['=?UTF-8?Q?caf=C3=A9?=', 'café'],
    ],
    leaves: ['a =? b : c', 'x=?&y=?', '=?', 'https://example.com/?a=?b?Q?c', 'SELECT * FROM t WHERE a=? AND b=?'],
  },
};

/** One character for each byte. */
function bytesOf(code: string): string {
  return code.replace(ESCAPE, (escape) =>
    escape === '_' ? ' ' : String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}
