import { folded } from '../text/decoders/folded.ts';
import { namesOfDecoders } from '../text/decoders/index.ts';
import type { Reading } from '../text/readings.ts';

const CIPHERS = namesOfDecoders(({ hides }) => hides === 'cipher');
const HIDING = namesOfDecoders(({ hides }) => hides !== undefined);

export function isCipher(decoder: string): boolean {
  return CIPHERS.has(decoder);
}

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
    via.some((name) => HIDING.has(name)) || (via.includes(folded.name) && (isDisguised ??= DISGUISED.test(text)));
}
