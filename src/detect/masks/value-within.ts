import { valueOfCheck } from '../validators/secrets.ts';

/** Which part of a match is the value: a name, its quotes and its colon stay, and what held JSON before is JSON still. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Offsets in the match. */
export function valueWithin(match: string, check: string | undefined): Range {
  const value = valueOfCheck(check, match);
  if (value !== null) {
    const start = value === '' ? -1 : match.lastIndexOf(value);
    if (start !== -1) return { start, end: start + value.length };
  }
  return WHOLE.has(check) ? { start: 0, end: match.length } : behindQuotes(match);
}

/** What these match has no name before it, and may have a colon in it. */
const WHOLE: ReadonlySet<string | undefined> = new Set(['url-credentials', 'json-web-token']);

const QUOTE = /["'`\\]/;

function behindQuotes(match: string): Range {
  let end = match.length;
  while (end > 0 && QUOTE.test(match[end - 1]!)) end -= 1;
  let start = end;
  while (start > 0 && !QUOTE.test(match[start - 1]!)) start -= 1;
  if (start > 0) start += /^[\s:=>,|({[]*/.exec(match.slice(start, end))![0].length;
  return start < end ? { start, end } : { start: 0, end: match.length };
}

const ESCAPED = /[bfnrt"/]|u[0-9a-fA-F]{4}/y;

/** The start of a range, moved behind an escape that it would cut in two: its backslash would be left, to escape the label. */
export function notInEscape(text: string, start: number): number {
  let backslashes = 0;
  while (text[start - 1 - backslashes] === '\\') backslashes += 1;
  if (backslashes % 2 === 0) return start;
  ESCAPED.lastIndex = start;
  return start + (ESCAPED.exec(text)?.[0].length ?? 0);
}

const TOKEN = /[A-Za-z0-9_+/=-]/;
/** Between two letters of a token: a JSON web token has dots in it, an encoded one percent signs. */
const JOINT = /[.~%]/;

/** A counted pattern may match only the beginning of a longer token. */
export function endOfToken(text: string, { start, end: from }: Range): number {
  const mayJoin = /[A-Za-z]/.test(text.slice(start, from));
  const isToken = (at: number): boolean => at < text.length && TOKEN.test(text[at]!);
  let end = from;
  while (isToken(end) || (mayJoin && isToken(end + 1) && JOINT.test(text[end]!))) end += 1;
  return end;
}
