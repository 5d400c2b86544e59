import { textOfUnits } from './units.ts';

/** Undoes the escapes of string literals: those of JSON and those that lenient parsers add (`\x41`, `\u{41}`, `\'`). */

const SIMPLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '' };

/** Below this length, joining pieces is faster than calling JSON.parse, and a bomb of tiny literals stays cheap. */
const SHORT = 64;

/**
 * JSON.parse undoes escapes far faster than a loop here can, but each throw costs microseconds. A document whose
 * literals it rejects this many times is read without it.
 */
const MAX_THROWS = 32;

/**
 * Returns a function that undoes the escapes of one document's literals, given the positions between the quotes at
 * `start - 1` and `end`.
 */
export function literalReader(document: string): (start: number, end: number) => string {
  let throws = 0;
  return (start, end) => {
    let text: string | null = null;
    if (end - start <= SHORT) text = unescapePieces(document.slice(start, end));
    else if (throws < MAX_THROWS) {
      try {
        text = JSON.parse(document.slice(start - 1, end + 1)) as string;
      } catch {
        throws++;
      }
    }
    text ??= unescapeUnits(document.slice(start, end));
    return dropLoneSurrogates(text);
  };
}

/** Undoes the escapes in any text, including text with quotes in it. */
export function unescape(text: string): string {
  return dropLoneSurrogates(text.includes('\\') ? unescapeUnits(text) : text);
}

/**
 * Lone surrogates are dropped, not replaced: RE2 reads a lone surrogate as U+FFFD, which would split a word that the
 * upstream may well read whole.
 */
export function dropLoneSurrogates(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replace(/\p{Surrogate}/gu, '') : text;
}

function unescapePieces(raw: string): string {
  let out = '';
  let from = 0;
  for (let at = raw.indexOf('\\'); at !== -1 && at + 1 < raw.length; at = raw.indexOf('\\', from)) {
    const code = codeAt(raw, at);
    out += raw.slice(from, at);
    if (code === -1) {
      const next = raw.charAt(at + 1);
      out += SIMPLE[next] ?? next;
      from = at + 2;
    } else {
      out += code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
      from = at + lengthAt(raw, at);
    }
  }
  return out + raw.slice(from);
}

/**
 * For what JSON.parse rejects. Writes into an array of code units, since millions of joined pieces would cost a hundred
 * bytes each.
 */
function unescapeUnits(raw: string): string {
  const units = new Uint16Array(raw.length);
  let size = 0;
  let at = 0;
  while (at < raw.length) {
    const unit = raw.charCodeAt(at);
    if (unit !== 92 || at + 1 >= raw.length) {
      units[size++] = unit;
      at++;
      continue;
    }
    const code = codeAt(raw, at);
    if (code === -1) {
      const simple = SIMPLE[raw.charAt(at + 1)];
      if (simple === undefined) units[size++] = raw.charCodeAt(at + 1);
      else if (simple !== '') units[size++] = simple.charCodeAt(0);
      at += 2;
    } else {
      if (code > 0xffff) {
        units[size++] = 0xd800 + ((code - 0x10000) >> 10);
        units[size++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
      } else units[size++] = code;
      at += lengthAt(raw, at);
    }
  }
  return textOfUnits(units, size);
}

/** The code point of `\uHHHH`, `\u{H..}` or `\xHH` at the backslash; -1 for any other escape. */
function codeAt(raw: string, at: number): number {
  const kind = raw.charCodeAt(at + 1);
  if (kind === 120) return hex(raw, at + 2, at + 4);
  if (kind !== 117) return -1;
  if (raw.charCodeAt(at + 2) !== 123) return hex(raw, at + 2, at + 6);
  const close = at + lengthAt(raw, at) - 1;
  const code = raw.charCodeAt(close) === 125 && close > at + 3 ? hex(raw, at + 3, close) : -1;
  return code <= 0x10ffff ? code : -1;
}

/** The length of the `\uHHHH`, `\u{H..}` or `\xHH` escape at the backslash. */
function lengthAt(raw: string, at: number): number {
  if (raw.charCodeAt(at + 1) === 120) return 4;
  if (raw.charCodeAt(at + 2) !== 123) return 6;
  let end = at + 3;
  while (end < at + 11 && raw.charCodeAt(end) !== 125) end++;
  return end + 1 - at;
}

function hex(raw: string, from: number, to: number): number {
  if (to > raw.length) return -1;
  let number = 0;
  for (let at = from; at < to; at++) {
    const unit = raw.charCodeAt(at);
    const lower = unit | 32;
    const digit = unit >= 48 && unit <= 57 ? unit - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit === -1) return -1;
    number = number * 16 + digit;
  }
  return number;
}
