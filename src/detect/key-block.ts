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

/** How far a growing text can be judged without cutting a last line in two. */
export function wholeLastLine(text: string, boundary: number): number {
  const at = text.lastIndexOf(MARK, boundary);
  if (at === -1 || text.length - at > LONGEST_LAST_LINE) return boundary;
  const end = endOfKey(text, at);
  return end !== null && end <= boundary ? boundary : at;
}
