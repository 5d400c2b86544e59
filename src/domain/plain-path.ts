/**
 * Normalizes a path so that all spellings of an endpoint are equal: `'/v1//Chat%2Fcompletions/' ->
 * '/v1/chat/completions'`. Servers decode percent escapes, and many of them ignore repeated slashes, a trailing
 * slash, parameters of a segment (`;a=b`) and letter case. A check of the raw spelling would let the caller decide
 * what is scanned. Use the result only to recognize endpoints: the path is forwarded as it was sent.
 */
export function plainPath(path: string): string {
  let plain = path;
  for (let i = 0; i < MOST_ESCAPED && plain.includes('%'); i += 1) plain = unescapedOnce(plain);
  const joined = plain
    .toLowerCase()
    .replace(/;[^/]*/g, '')
    .replace(/\\/g, '/')
    .replace(/\/(?:\.?\/)+/g, '/');
  // A loop, since `[/.\s]+$` tries every run of dots in the path again from each of its dots.
  let end = joined.length;
  while (end > 0 && /[/.\s]/.test(joined[end - 1]!)) end -= 1;
  return joined.slice(0, end);
}

/** Undoes one level of percent escapes. */
export function unescapedOnce(path: string): string {
  return path.replace(ESCAPED, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/** How many levels of escapes are undone: each gateway in a chain may decode one. */
export const MOST_ESCAPED = 3;
/**
 * Escapes of ASCII characters. Those of control characters count, too: a route that ends in `$` matches before a line
 * feed in several languages, so `/v1/chat/completions%0A` is served as `/v1/chat/completions`.
 */
const ESCAPED = /%([0-7][0-9a-f])/gi;
