/** Parses a Content-Type or Content-Disposition header into its value and parameters. */
import { memoize } from './memoize.ts';

export interface MediaType {
  readonly type: string;
  /**
   * All values of each parameter. Two different values mean two ways to read the body, and the caller must handle both.
   */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

const BLANK = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/**
 * Whether the parameter is also, or only, given in a spelling of RFC 2231: encoded (`charset*`) or in pieces
 * (`charset*0`). Some parsers read these, most ignore them.
 */
export function hasRfc2231Spelling({ parameters }: MediaType, name: string): boolean {
  return [...parameters.keys()].some((key) => key.startsWith(`${name}*`));
}

/** All values of a parameter in all its spellings, and its pieces put together: `a*0="x"; a*1="y"` -> `xy`. */
export function valuesInAllSpellings({ parameters }: MediaType, name: string): readonly string[] {
  const values: string[] = [];
  const pieces: { readonly at: number; readonly text: string }[] = [];
  for (const [key, given] of parameters) {
    if (key !== name && !key.startsWith(`${name}*`)) continue;
    values.push(...given);
    const at = /^\*(\d{1,6})/.exec(key.slice(name.length))?.[1];
    if (at !== undefined) pieces.push({ at: Number(at), text: given.join('') });
  }
  if (pieces.length > 1) {
    pieces.sort((one, other) => one.at - other.at);
    values.push(pieces.map(({ text }) => text).join(''));
  }
  return values;
}

/** `'text/plain; charset="utf-8"' -> { type: 'text/plain', parameters: charset -> ['utf-8'] }` */
export const readMediaType: (header: string) => MediaType = memoize(parseMediaType);

function parseMediaType(header: string): MediaType {
  const [type = '', ...rest] = splitOutsideQuotes(header);
  const parameters = new Map<string, string[]>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    if (equals === -1) continue;
    const name = piece.slice(0, equals).replace(BLANK, '').toLowerCase();
    const value = unquote(piece.slice(equals + 1).replace(BLANK, ''));
    const known = parameters.get(name);
    if (known === undefined) parameters.set(name, [value]);
    else if (!known.includes(value)) known.push(value);
  }
  return { type: type.replace(BLANK, '').toLowerCase(), parameters };
}

function splitOutsideQuotes(header: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < header.length; at++) {
    const char = header[at];
    if (char === '"') quoted = !quoted;
    else if (char === '\\' && quoted) at++;
    else if (char === ';' && !quoted) {
      pieces.push(header.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(header.slice(from));
  return pieces;
}

function unquote(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(.)/gs, '$1');
}
