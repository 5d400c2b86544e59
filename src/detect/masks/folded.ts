import { fold } from '../../text/fold.ts';
import { rewritten, type PlacedText } from './placed-text.ts';

const BEYOND_ASCII = /[^\x00-\x7f]/gu;

/**
 * A text in the ASCII that it looks like, sign by sign: a card number with the dashes and spaces of a printer, or in wide
 * digits, stands somewhere as well. Null for a text that is ASCII already.
 */
export function foldedWithPlaces(text: string): PlacedText | null {
  const known = new Map<string, string>();
  const placed = rewritten(text, BEYOND_ASCII, (sign) => {
    let letters = known.get(sign);
    if (letters === undefined) {
      letters = fold(sign);
      known.set(sign, letters);
    }
    return letters;
  });
  return placed.text === text ? null : placed;
}
