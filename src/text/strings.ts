/**
 * Every string literal of a JSON-ish document, whatever is wrong with the document.
 *
 * Not JSON.parse: it hides all but the last of duplicate keys, rejects what lenient upstreams accept (comments, single
 * quotes, NaN, text after the document) and needs seconds for millions of distinct keys. This is one pass over the text with a
 * small state machine; it never recurses, so depth costs a byte a level. It tells its listener the structure as it goes,
 * and at the end whether that structure was sound: if not, other parsers may read the same bytes otherwise, so the caller
 * must also scan the text as a whole and must not trust what the structure said.
 */
import { literalReader, unescape } from './escapes.ts';

export interface LiteralListener {
  readonly open: (object: boolean) => void;
  readonly close: () => void;
  /** `escaped` says that the literal does not stand verbatim in the text; the answer, whether to read on. */
  readonly key: (text: string, escaped: boolean) => boolean;
  readonly value: (text: string, escaped: boolean) => boolean;
  /** A number, `true`, `false`, `null` or an empty container at `[start, end)`. */
  readonly scalar: (start: number, end: number) => void;
}

/** `many`: documents follow each other, as in JSON lines. */
export type Documents = 'one' | 'many';

/** What may come next; a value may while it is one of the first two. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY_OR_CLOSE = 2;
const KEY = 3;
const COLON = 4;
const COMMA_OR_CLOSE = 5;
const AFTER = 6;

const QUOTE = 34;
const BACKSLASH = 92;
const NAMES = ['true', 'false', 'null'] as const;

/** Returns whether the structure is that of well-formed JSON; control characters and odd escapes inside strings do not disturb it. */
export function readLiterals(text: string, to: LiteralListener, documents: Documents = 'one'): boolean {
  const length = text.length;
  /** One bit a level: set for an object. */
  let containers = new Uint8Array(16);
  let depth = 0;
  let inObject = false;
  let state = VALUE;
  let sound = true;
  let backslash = -1;
  let at = 0;
  const unescaped = literalReader(text);
  const many = documents === 'many';

  while (at < length) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 32:
      case 10:
      case 13:
      case 9:
        at++;
        break;
      case QUOTE: {
        const start = at + 1;
        let end = text.indexOf('"', start);
        if (end === -1) end = length;
        if (backslash < start) {
          backslash = text.indexOf('\\', start);
          if (backslash === -1) backslash = length;
        }
        const escaped = backslash < end;
        if (escaped) end = closingQuote(text, start, end);
        if (end >= length) sound = false;
        const string = escaped ? unescaped(start, end) : text.slice(start, end);
        at = end + 1;
        if (state === KEY || state === KEY_OR_CLOSE) {
          if (!to.key(string, escaped)) return false;
          state = COLON;
        } else {
          if (state > VALUE_OR_CLOSE && !(many && state === AFTER)) sound = false;
          if (!to.value(string, escaped)) return false;
          state = depth > 0 ? COMMA_OR_CLOSE : AFTER;
        }
        break;
      }
      case 123:
      case 91:
        if (state > VALUE_OR_CLOSE && !(many && state === AFTER)) sound = false;
        // Not opened at all: a bomb of empty containers is then no dearer than one of numbers.
        if (text.charCodeAt(at + 1) === code + 2) {
          to.scalar(at, at + 2);
          state = depth > 0 ? COMMA_OR_CLOSE : AFTER;
          at += 2;
          break;
        }
        if (depth >> 3 === containers.length) {
          const wider = new Uint8Array(containers.length * 2);
          wider.set(containers);
          containers = wider;
        }
        inObject = code === 123;
        if (inObject) containers[depth >> 3]! |= 1 << (depth & 7);
        else containers[depth >> 3]! &= ~(1 << (depth & 7));
        depth++;
        state = inObject ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
        to.open(inObject);
        at++;
        break;
      case 125:
      case 93:
        if (state !== COMMA_OR_CLOSE && state !== (code === 125 ? KEY_OR_CLOSE : VALUE_OR_CLOSE)) sound = false;
        if (depth === 0) sound = false;
        else {
          if (inObject !== (code === 125)) sound = false;
          depth--;
          inObject = depth > 0 && (containers[(depth - 1) >> 3]! & (1 << ((depth - 1) & 7))) !== 0;
          to.close();
        }
        state = depth > 0 ? COMMA_OR_CLOSE : AFTER;
        at++;
        break;
      case 44:
        if (state !== COMMA_OR_CLOSE) sound = false;
        if (depth > 0) state = inObject ? KEY : VALUE;
        at++;
        break;
      case 58:
        if (state !== COLON) sound = false;
        else state = VALUE;
        at++;
        break;
      default: {
        const end = endOfScalar(text, at, code);
        if (end > at) {
          if (state > VALUE_OR_CLOSE && !(many && state === AFTER)) sound = false;
          to.scalar(at, end);
          state = depth > 0 ? COMMA_OR_CLOSE : AFTER;
          at = end;
        } else {
          sound = false;
          at++;
        }
      }
    }
  }
  return sound && depth === 0 && state === AFTER;
}

/** Each run of backslashes is counted for the one quote behind it, so this stays linear. */
function closingQuote(text: string, start: number, first: number): number {
  let end = first;
  while (end < text.length) {
    let before = end - 1;
    while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - 1 - before) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  }
  return end;
}

/** Digits, signs, dots and exponents in any order count as a number: no text hides in those few letters. */
function endOfScalar(text: string, start: number, first: number): number {
  if ((first >= 48 && first <= 57) || first === 45) {
    let end = start + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (!((code >= 48 && code <= 57) || code === 46 || code === 45 || code === 43 || (code | 32) === 101)) break;
    }
    return end;
  }
  const name = first === 116 ? NAMES[0] : first === 102 ? NAMES[1] : first === 110 ? NAMES[2] : null;
  return name !== null && text.startsWith(name, start) ? start + name.length : start;
}

export interface Literals {
  /** In the order of the text; keys and values alike. */
  readonly strings: readonly string[];
  readonly sound: boolean;
  /** What else a lenient parser could make of it: the whole text with its escapes undone, only when the structure is not sound. */
  readonly whole: string | null;
}

const ignore = (): void => {};

/** The plain form: all strings at once, for documents whose structure means nothing to us. */
export function everyString(text: string, documents: Documents = 'one'): Literals {
  const strings: string[] = [];
  const take = (string: string): boolean => {
    strings.push(string);
    return true;
  };
  const sound = readLiterals(text, { open: ignore, close: ignore, key: take, value: take, scalar: ignore }, documents);
  return { strings, sound, whole: sound ? null : unescape(text) };
}
