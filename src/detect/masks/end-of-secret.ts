import { endOfToken, type Range } from './value-within.ts';

/**
 * How far a password reaches. Patterns match so much of one as proves it; what people choose has any sign in it, and
 * what is left behind the label tells half of it.
 */

/** Checks of values that people make up or that may hold any sign. */
const ANY_SIGN: ReadonlySet<string | undefined> = new Set([
  'password',
  'last-password',
  'settings-password',
  'login-pair',
  'login-line',
  'assigned-secret',
]);

/** No password is longer, and a text without blanks is not searched to its end. */
const MOST_CHARS = 128;

export function endOfSecret(text: string, range: Range, check: string | undefined): number {
  const end = endOfToken(text, range);
  if (check === 'url-credentials') return endOfToken(text, { start: range.start, end: lastHostIn(text, end) });
  if (!ANY_SIGN.has(check)) return end;
  const quote = openingQuote(text, range.start, check);
  const closed = quote === null ? null : closingQuote(text, quote, end);
  return Math.max(end, closed ?? endOfBare(text, end, check === 'settings-password'));
}

/** The quote that a password stands in, which may have opened before the name in a login. */
function openingQuote(text: string, start: number, check: string | undefined): string | null {
  const before = text.slice(Math.max(0, start - 48), start);
  const quoted = check === 'login-pair' ? /(["'`])(?:[\w.@\\-]{0,40}:)?$/ : /(["'`])$/;
  return quoted.exec(before)?.[1] ?? null;
}

/** Between quotes a password may hold blanks. Null where none are closed on this line. */
function closingQuote(text: string, quote: string, from: number): number | null {
  const most = Math.min(text.length, from + MOST_CHARS);
  for (let at = from; at < most; at += 1) {
    const char = text[at]!;
    if (char === '\n' || isLineEnd(text, at)) return null;
    if (char !== quote || isWithin(text, at)) continue;
    let end = at;
    while (end > from && text[end - 1] === '\\') end -= 1;
    return end;
  }
  return null;
}

/** Behind it stands the next setting: `;Encrypt=1`, `, user: "bo"`, `&page=2`. */
const NEXT_NAME = /[,;&]\s?["'`\\]{0,2}[A-Za-z_][\w .-]{0,24}["'`\\]{0,2}\s?[=:]/y;
const CLOSING = /[,;.)}\]>]/;

/** In connection settings a semicolon ends a value, and a blank does not. */
const TO_SEMICOLON = /[^\S\r\n][^;"'\r\n\\]{1,60}(?=;)/y;

function endOfBare(text: string, from: number, isSetting: boolean): number {
  TO_SEMICOLON.lastIndex = from;
  if (isSetting && TO_SEMICOLON.test(text)) return TO_SEMICOLON.lastIndex;
  const most = Math.min(text.length, from + MOST_CHARS);
  let at = from;
  for (; at < most; at += 1) {
    const char = text[at]!;
    if (/\s/.test(char) || isLineEnd(text, at)) break;
    if (/["'`\\<]/.test(char) && !isWithin(text, at)) break;
    NEXT_NAME.lastIndex = at;
    if (NEXT_NAME.test(text)) break;
  }
  // What closes a sentence, a call or an object stays with it.
  while (at > from && CLOSING.test(text[at - 1]!)) at -= 1;
  return at;
}

/** A quote in the middle of a password, and not behind it: a letter or digit follows. */
function isWithin(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text[text[at] === '\\' ? at + 2 : at + 1] ?? '') && !isLineEnd(text, at);
}

/** `\n` as text, as in JSON within a string. */
function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\\' && /[nrt]/.test(text[at + 1] ?? '');
}

/** A password may have the sign in it that stands before the host: the last one of the address does. */
function lastHostIn(text: string, from: number): number {
  const rest = /[^\s"'`<>\\]{0,128}/y;
  rest.lastIndex = from;
  const at = rest.exec(text)![0].lastIndexOf('@');
  return at === -1 ? from : from + at + 1;
}
