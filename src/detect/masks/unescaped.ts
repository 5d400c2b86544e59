import { unescape } from '../../text/escapes.ts';
import { rewritten, type PlacedText } from './placed-text.ts';

/**
 * The two halves of a surrogate pair are one character. Any other escape is one by itself, whatever follows the
 * backslash.
 */
const ESCAPE =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{1,8}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[^]/g;

/** A text with its escapes undone. Null when it has no backslash. */
export function unescapedWithPlaces(text: string): PlacedText | null {
  return text.includes('\\') ? rewritten(text, ESCAPE, unescape) : null;
}
