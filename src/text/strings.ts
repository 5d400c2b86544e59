/**
 * Reads every string literal of a JSON-like document, no matter how malformed the document is.
 *
 * JSON.parse is not used: it hides all but the last of duplicate keys, rejects what lenient upstreams accept (comments,
 * single quotes, NaN, text after the document) and needs seconds for millions of distinct keys. This is one pass over
 * the text with a small state machine. It never recurses, so nesting costs one bit per level. It reports the structure
 * to its listener as it goes, and returns whether that structure was well-formed. If not, other parsers may read the
 * same bytes differently, so the caller must also scan the text as a whole and must not trust the reported structure.
 */
import { literalReader } from './escapes.ts';
import {
  AFTER,
  beginValue,
  close,
  COLON,
  endOfNumber,
  endValue,
  expectsKey,
  isNumber,
  LONG_INTEGER,
  open,
  scalar,
  skipStructure,
  startOf,
  type Walk,
} from './structure.ts';

export interface LiteralListener {
  /** Containers nested deeper than this are opened and closed without a call: no listener keeps anything about them. */
  readonly levels: number;
  /** `at` is the index of the bracket. */
  readonly open: (object: boolean, at: number) => void;
  readonly close: (at: number) => void;
  /** `escaped`: the literal is not verbatim in the text. Returns whether to read on. */
  readonly key: (text: string, escaped: boolean) => boolean;
  readonly value: (text: string, escaped: boolean) => boolean;
  /**
   * Reports a row of `count` numbers, names (`true`, `false`, `null`) and empty containers, and whether any of them is
   * a number.
   */
  readonly scalars: (count: number, numbers: boolean) => void;
  /** A whole number of nine digits or more, if wanted; it is counted among the scalars, too. Returns whether to read on. */
  readonly number: ((text: string) => boolean) | null;
}

/** `many`: several documents follow each other, as in JSON Lines. */
export type Documents = 'one' | 'many';

const QUOTE = 34;
const BACKSLASH = 92;
const NAMES = ['true', 'false', 'null'] as const;
/**
 * The text is read through a window of a few thousand code units, which takes a third of the time of asking the string
 * for each character. A document inside a string is read while the outer one is still open, so each nesting level has
 * its own window.
 */
const WINDOW = 4096;
const WINDOWS = Array.from({ length: 4 }, () => new Uint16Array(WINDOW));
let reading = 0;

/**
 * Returns whether the structure is that of well-formed JSON. Control characters and unknown escapes inside strings do
 * not count against it.
 */
export function readLiterals(text: string, to: LiteralListener, documents: Documents = 'one'): boolean {
  const window = WINDOWS[reading] ?? new Uint16Array(WINDOW);
  reading++;
  try {
    return read(text, to, documents === 'many', window);
  } finally {
    reading--;
  }
}

function read(text: string, to: LiteralListener, many: boolean, units: Uint16Array): boolean {
  const { length } = text;
  const bytes = Buffer.from(units.buffer);
  const walk = startOf(many, to.levels, to.number !== null);
  const unescaped = literalReader(text);
  let backslash = -1;
  let at = 0;
  /** Where the window starts in the text, and up to where a character and the next one are both in it. */
  let base = 0;
  let limit = 0;

  while (at < length) {
    if (at >= limit) {
      base = at;
      limit = Math.min(length, at + WINDOW - 1);
      const filled = bytes.write(text.slice(at, at + WINDOW), 0, 'utf16le') >> 1;
      if (filled < WINDOW) units[filled] = 0;
    }
    at = base + skipStructure(walk, units, at - base, limit - base);
    if (at >= limit) continue;
    const code = units[at - base] as number;
    if (code === QUOTE) {
      const start = at + 1;
      let end = text.indexOf('"', start);
      if (end === -1) end = length;
      if (backslash < start) {
        backslash = text.indexOf('\\', start);
        if (backslash === -1) backslash = length;
      }
      const escaped = backslash < end;
      if (escaped) end = closingQuote(text, start, end);
      if (end >= length) walk.sound = false;
      const string = escaped ? unescaped(start, end) : text.slice(start, end);
      at = end + 1;
      tellScalars(walk, to);
      if (expectsKey(walk)) {
        if (!to.key(string, escaped)) return false;
        walk.state = COLON;
      } else {
        beginValue(walk);
        if (!to.value(string, escaped)) return false;
        endValue(walk);
      }
    } else if (code === 123 || code === 91) {
      tellScalars(walk, to);
      open(walk, code);
      to.open(walk.inObject, at);
      at++;
    } else if (code === 125 || code === 93) {
      tellScalars(walk, to);
      if (close(walk, code)) to.close(at);
      at++;
    } else {
      const end = isNumber(code) ? endOfNumber(text, at) : endOfName(text, at, code);
      if (end > at) scalar(walk, code);
      else walk.sound = false;
      if (to.number !== null && isNumber(code)) {
        const number = text.slice(at, end);
        if (LONG_INTEGER.test(number) && !to.number(number)) return false;
      }
      at = Math.max(end, at + 1);
    }
  }
  tellScalars(walk, to);
  return walk.sound && walk.depth === 0 && walk.state === AFTER;
}

function tellScalars(walk: Walk, to: LiteralListener): void {
  if (walk.scalars === 0) return;
  to.scalars(walk.scalars, walk.numbers);
  walk.scalars = 0;
  walk.numbers = false;
}

/**
 * Finds the closing quote. Each run of backslashes is counted once, for the one quote after it, so this stays linear.
 */
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

function endOfName(text: string, start: number, first: number): number {
  const name = first === 116 ? NAMES[0] : first === 102 ? NAMES[1] : first === 110 ? NAMES[2] : null;
  return name !== null && text.startsWith(name, start) ? start + name.length : start;
}
