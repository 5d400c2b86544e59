import { folded } from '../text/decoders/folded.ts';
import type { Reading } from '../text/readings.ts';

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
 * What else hides a text, leet included: what signatures with `hidden` wait for. Escapes and entities do so where whole
 * sentences are written in them. Not in the list is what honest programs and pages write of sentences: addresses with
 * percent signs, markup, pieces of code put together.
 */
const HIDING: ReadonlySet<string> = new Set([
  'alphabet-places',
  'base64-disguised',
  'base64-pieces',
  'base64-words',
  'compressed',
  'entities',
  'escapes',
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
  /[a-z][\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u200b-\u200d\u2060-\u2064]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u200b-\u200d\u2060-\u2064][a-z]/iu;

/** Tells of each reading of a text whether it undoes what hid the text on purpose. */
export function hidingIn(text: string): (via: Reading['via']) => boolean {
  let isDisguised: boolean | null = null;
  return (via) =>
    via.some((name) => HIDING.has(name) || isCipher(name)) ||
    (via.includes(folded.name) && (isDisguised ??= DISGUISED.test(text)));
}
