/** Private keys in PEM form. A signature recognizes one by its first line, and masking has to reach to its last. */

const MARK = '-----END';
/** The 40 characters are more than the name of any kind of key has. */
const LAST_LINE = /-----END[A-Z0-9 ]{0,40}-----/g;
const LONGEST_LAST_LINE = 64;

/** The offset behind the key's last line, or null when that has not come yet. */
export function endOfKey(text: string, from: number): number | null {
  LAST_LINE.lastIndex = from;
  const found = LAST_LINE.exec(text);
  return found === null ? null : found.index + found[0].length;
}

/**
 * The same for a key that goes on: `tail` is what was read of it before, and its last line may have begun there. The
 * offset is one of the text.
 */
export function endOfKeyAfter(tail: string, text: string, from: number): number | null {
  const more = text.slice(from);
  for (let end = endOfKey(tail + more, 0); end !== null; end = endOfKey(tail + more, end))
    if (end > tail.length) return from + end - tail.length;
  return null;
}

/** What to remember of a key that goes on. */
export function tailOfKey(text: string): string {
  return text.slice(-LONGEST_LAST_LINE);
}

/** How far a growing text can be judged without cutting a last line in two. */
export function wholeLastLine(text: string, boundary: number): number {
  const at = text.lastIndexOf(MARK, boundary);
  if (at === -1 || text.length - at > LONGEST_LAST_LINE) return boundary;
  const end = endOfKey(text, at);
  return end !== null && end <= boundary ? boundary : at;
}
