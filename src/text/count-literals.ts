const BACKSLASH = 92;

/**
 * Whether a JSON-ish text surely has more string literals than so many, for a tenth of what it takes to read them: a body
 * that is refused for its millions of strings is refused before any of them is made. A quote behind a backslash may or may
 * not be the end of a literal, so it is not counted.
 */
export function hasMoreLiterals(text: string, most: number): boolean {
  let quotes = 0;
  if (text.length <= 2 * most) return false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === BACKSLASH) continue;
    quotes++;
    if (quotes > 2 * most + 1) return true;
  }
  return false;
}
