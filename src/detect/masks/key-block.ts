/** Private keys in PEM form. A signature recognizes one by its first line, and masking has to reach to its last. */

const MARK = '-----END';
/** The 40 characters are more than the name of any kind of key has. */
const LAST_LINE = /-----END[A-Z0-9 ]{0,40}-----/g;
const LONGEST_LAST_LINE = 64;

/** The offset behind the key's last line, or null when that has not come yet. */
function endOfKey(text: string, from: number): number | null {
  LAST_LINE.lastIndex = from;
  const found = LAST_LINE.exec(text);
  return found === null ? null : found.index + found[0].length;
}

/** What may stand between the quotes around two lines of a key, in code or in a list. */
const BETWEEN = /[\\"'`]{1,8}(?:[\s,+.()]|\\[nrt]){0,40}[\\"'`]{1,8}/.source;
const NEXT_LINE = new RegExp(`^${BETWEEN}(?:[A-Za-z0-9+/=]{16}|(?:[A-Za-z0-9+/]{1,15}={0,2}${BETWEEN})?-----END)`);
/** The text ends where a line would have to follow, and nobody knows yet. */
const MAY_BE_NEXT = /^[\\"'`]{1,8}(?:[\s,+.()]|\\[nrt]){0,40}(?:[\\"'`]{1,8}[A-Za-z0-9+/=-]{0,17})?$/;
const MOST_BETWEEN = 160;

/**
 * How far a key reaches that stands in a text as a whole: to its last line, else to the end of the string that it
 * stands in, so that JSON stays JSON, else to the end of the text. In the last case it is `open`.
 */
export function endOfKeyIn(text: string, start: number): { readonly end: number; readonly open: boolean } {
  const last = endOfKey(text, start);
  const closed = endOfString(text, start);
  if (closed !== null && (last === null || closed < last)) return { end: closed, open: false };
  return { end: last ?? text.length, open: last === null };
}

/** Null where the key does not begin a string, or that is not known to end. */
function endOfString(text: string, start: number): number | null {
  const quote = /\\{0,7}["'`]$/.exec(text.slice(Math.max(0, start - 8), start))?.[0];
  if (quote === undefined) return null;
  for (let at = text.indexOf(quote, start); at !== -1;) {
    const behind = text.slice(at, at + MOST_BETWEEN);
    if (MAY_BE_NEXT.test(behind)) return null;
    const next = NEXT_LINE.exec(behind)?.[0];
    const isEscaped = text[at - 1] === '\\' && quote[0] !== '\\';
    if (next === undefined && !isEscaped) return at;
    at = text.indexOf(quote, at + (next ?? quote).length);
  }
  return null;
}

/** What a text begins with that goes on with a key from the text before it: lines of its letters, and the last one. */
const REST =
  /^(?:[A-Za-z0-9+/=]{1,80}(?=(?:\s|\\[nr])+(?:[A-Za-z0-9+/=]{16}|-----END)))?(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,80})*(?:(?:\s|\\[nr])*[A-Za-z0-9+/]{1,80}={1,2})?(?:(?:\s|\\[nr])*-----END[A-Z0-9 ]{0,40}-----)?/;

/** How many characters of the text belong to a key that began in another, and whether the key may go on behind it. */
export function restOfKey(text: string): { readonly end: number; readonly open: boolean } {
  const rest = REST.exec(text)![0];
  return { end: rest.length, open: !rest.includes(MARK) && rest.length === text.trimEnd().length };
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
