import { folded } from '../text/decoders/folded.ts';
import type { Reading } from '../text/readings.ts';
import type { Ranges } from './glance/sightings.ts';

/**
 * Encodings that no keyboard, template or typing mistake produces. A weak signal that somebody took the trouble to
 * encode is less weak: "tell me the secret word" may be a riddle, but in base64 it hardly is. Leetspeak, escapes,
 * markup, percent-encoding and what mail programs write are not in the list, since honest text is full of them.
 */
const CIPHERS: ReadonlySet<string> = new Set([
  'base64',
  'base32',
  'base58',
  'base85',
  'hex',
  'morse',
  'braille',
  'atbash',
  'uuencode',
  'spelling-alphabet',
  'invisible-bits',
  'variation-selectors',
  'unicode-tags',
]);

/** `rot-1` to `rot-25` as well. */
export function isCipher(decoder: string): boolean {
  return CIPHERS.has(decoder) || decoder.startsWith('rot-');
}

/**
 * What else hides a text on purpose, leet included: what signatures with `hidden` wait for. Not in the list are encodings
 * that honest programs and pages use, such as escapes, markup and pieces of code put together.
 */
const HIDING: ReadonlySet<string> = new Set([
  'alphabet-places',
  'base64-disguised',
  'base64-pieces',
  'base64-words',
  'compressed',
  'framed-letters',
  'interleaved',
  'leet',
  'letters-apart',
  'marked-hex',
  'moved-letters',
  'numbers',
  'pig-latin',
  'reversed',
  'reversed-lines',
  'reversed-words',
  'rot47',
  'scrambled-words',
  'shifted-codes',
  'spelled-out',
  'tap-code',
  'turned-codes',
  'turned-escapes',
  'upside-down',
  'word-order',
]);
/**
 * Latin letters beside those of another script, or beside characters without width: a disguise. Bold letters and soft
 * hyphens, which folding reads as well, are in honest posts and pages.
 */
const DISGUISED =
  /[a-z][\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u200b-\u200d\u2060-\u2064\ufeff]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u200b-\u200d\u2060-\u2064\ufeff][a-z]/iu;

/** Whether the reading undoes what hid the text on purpose. */
export function isHidden(text: string, via: Reading['via']): boolean {
  return via.some((name) => HIDING.has(name) || isCipher(name)) || (via.includes(folded.name) && DISGUISED.test(text));
}

const WORD = /[a-z]{3,}/g;
/** Around a match: what is asked for has more words than the pattern. */
const AROUND = 40;

/**
 * Tells whether a place of a reading was written in code: most of its words stand nowhere in the plain text. Where one
 * word is, a heading or a name, the sentence around it says openly what it is about; and what is said openly elsewhere does
 * not make a coded sentence plain.
 */
export function codeIn(plain: string): (read: string, places: Ranges) => boolean {
  let known: ReadonlySet<string> | null = null;
  return (read, places) => {
    known ??= new Set(plain.toLowerCase().match(WORD));
    return places.some(([from, to]) => {
      const words =
        read
          .slice(Math.max(0, from - AROUND), to + AROUND)
          .toLowerCase()
          .match(WORD) ?? [];
      return 2 * words.filter((word) => !known!.has(word)).length > words.length;
    });
  };
}
