/** Decides whether decoded bytes are readable text, and which text. Wrong guesses decode to noise. */
import { isUtf8 as isValidUtf8 } from 'node:buffer';

/** Share of bytes that must be text. The rest may be noise from wrong padding or a stray control character. */
const READABLE = 0.85;
/** In noise, this many printable bytes in a row occur about once in ten million positions. */
const LEAST_STRING = 16;
/** An image of a few megabytes has that many positions, so larger inputs need a longer stretch. */
const LEAST_STRING_IN_MUCH = 24;
const MUCH = 65_536;

export function textOf(bytes: Uint8Array): string | null {
  const { length } = bytes;
  if (length === 0) return null;
  let printable = 0;
  let letters = 0;
  let wide = 0;
  let zeroes = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80) wide++;
    else if (byte >= 0x20 ? byte < 0x7f : byte === 0x0a || byte === 0x0d || byte === 0x09) {
      printable++;
      const lower = byte | 0x20;
      if (byte === 0x20 || (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39)) letters++;
    } else if (byte === 0) zeroes++;
    else if (isOfTerminal(byte)) printable++;
  }
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  if (printable === length) return letters * 2 >= length || length >= LEAST_STRING ? view.toString('latin1') : null;
  // UTF-16 as written by PowerShell and Windows: for ASCII, every other byte is zero.
  if (zeroes * 2 >= length - 1 && letters * 4 >= length) {
    if (bytes[0] !== 0) return view.toString('utf16le');
    return length % 2 === 0 ? Buffer.from(view).swap16().toString('utf16le') : view.toString('latin1');
  }
  if (isWideText(bytes, length)) {
    // A few ASCII words repeated over and over share their bytes like UTF-16 does, so they are read as ASCII too. One
    // letter repeated over and over is not words.
    const wideText = view.toString('utf16le');
    return letters * 2 >= length && bytes.includes(0x20) ? `${wideText}\n${view.toString('latin1')}` : wideText;
  }
  if ((printable + wide) / length < READABLE) return stringsOf(view, printable);
  if (wide * 8 <= length && letters * 2 >= length) return view.toString('utf8');
  if (!isValidUtf8(view)) return stringsOf(view, printable);
  const text = view.toString('utf8');
  const isText = (wide * 2 >= length && length >= LEAST_STRING_IN_MUCH) || isWriting(text);
  return isText && !text.includes('\ufffd') ? text : stringsOf(view, printable);
}

/**
 * Backspace, escape and delete. Between the letters of a word they erase or color it, so they count as text like the
 * letters.
 */
function isOfTerminal(byte: number): boolean {
  return byte === 0x08 || byte === 0x1b || byte === 0x7f;
}

/** UTF-16 of non-ASCII letters: most of its units share a few high bytes, which those of noise do not. */
const LEAST_UNITS = 12;
const ALIKE = 0.85;
const FEW_UNITS = 4;
/** For ideographs the share must be higher: a third of all noise is ideographs. */
const ALIKE_OF_MANY = 0.95;
/** Scripts with more letters than one high byte has room for; all their high bytes count as one. */
const IDEOGRAPHS = 0x4e;
const HANGUL = 0xac;
const SCRIPTS = Uint8Array.from({ length: 256 }, (_, high) =>
  high >= IDEOGRAPHS && high <= 0x9f ? IDEOGRAPHS : high >= HANGUL && high <= 0xd7 ? HANGUL : high,
);

export function scriptOf(high: number): number {
  return SCRIPTS[high] as number;
}

function isWideText(bytes: Uint8Array, length: number): boolean {
  if (length % 2 === 1 || length < 2 * LEAST_UNITS) return false;
  if (hasManyHighBytes(bytes) || !sharesHighBytes(bytes, length) || !hasManyUnits(bytes, length)) return false;
  for (let i = 0; i < length; i += 2) {
    const high = bytes[i + 1] as number;
    // Control characters, and units that are not letters of any script: small numbers share high bytes as well.
    if ((high === 0 && (bytes[i] as number) < 0x20 && !isLineOrTab(bytes[i] as number)) || (high > 0xdf && high < 0xfe))
      return false;
  }
  return true;
}

/**
 * Whether more than a few different units occur. A placeholder for a secret is one letter over and over, and decodes to
 * as few units.
 */
function hasManyUnits(bytes: Uint8Array, length: number): boolean {
  const different = new Set<number>();
  for (let i = 0; i < length && different.size <= FEW_UNITS; i += 2)
    different.add((bytes[i] as number) | ((bytes[i + 1] as number) << 8));
  return different.size > FEW_UNITS;
}

function isLineOrTab(byte: number): boolean {
  return byte >= 0x09 && byte <= 0x0d;
}

/** Checks the first units only: noise shows five different high bytes by the sixth unit. */
function hasManyHighBytes(bytes: Uint8Array): boolean {
  const first = scriptOf(bytes[1] as number);
  let second = first;
  let third = first;
  let fourth = first;
  for (let i = 3; i < 2 * LEAST_UNITS; i += 2) {
    const byte = scriptOf(bytes[i] as number);
    if (byte === first || byte === second || byte === third || byte === fourth) continue;
    if (second === first) second = byte;
    else if (third === first) third = byte;
    else if (fourth === first) fourth = byte;
    else return true;
  }
  return false;
}

const COUNTS = new Uint32Array(256);

function sharesHighBytes(bytes: Uint8Array, length: number): boolean {
  COUNTS.fill(0);
  for (let i = 1; i < length; i += 2) {
    const script = scriptOf(bytes[i] as number);
    COUNTS[script] = (COUNTS[script] as number) + 1;
  }
  // Ideographs and Hangul together cover half of all high bytes, and no text consists of both, so only the more
  // frequent one counts.
  COUNTS[(COUNTS[HANGUL] as number) > (COUNTS[IDEOGRAPHS] as number) ? IDEOGRAPHS : HANGUL] = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  for (let high = 0; high < 256; high++) {
    const count = COUNTS[high] as number;
    if (count > first) {
      third = second;
      second = first;
      first = count;
    } else if (count > second) {
      third = second;
      second = count;
    } else if (count > third) third = count;
  }
  const isMany = first === Math.max(COUNTS[IDEOGRAPHS] as number, COUNTS[HANGUL] as number);
  return (first + second + third) * 2 >= (isMany ? ALIKE_OF_MANY : ALIKE) * length;
}

/** Whether a text consists mostly of letters of any script. Short noise can be valid UTF-8, but not mostly letters. */
function isWriting(text: string): boolean {
  let letters = 0;
  for (const _ of text.matchAll(/[\p{L}\p{M}\p{Extended_Pictographic} ]/gu)) letters++;
  return letters * 2 >= text.length && text.length >= 3;
}

/**
 * The readable stretches of data that is not text as a whole. Images are not skipped by their magic bytes, because the
 * sender could choose those, and this costs only 2 ms per megabyte.
 */
function stringsOf(bytes: Buffer, printable: number): string | null {
  const least = bytes.length > MUCH ? LEAST_STRING_IN_MUCH : LEAST_STRING;
  if (printable < least) return null;
  const found: string[] = [];
  let start = 0;
  for (let i = 0; i <= bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a) continue;
    if (i - start >= least) {
      const text = bytes.toString('latin1', start, i);
      if (text.includes(' ')) found.push(text);
    }
    start = i + 1;
  }
  return found.length === 0 ? null : found.join('\n');
}

/**
 * Decodes as UTF-8 if the bytes are valid, else one character per byte. An escape may stand for either, and both must
 * be read.
 */
export function lenient(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = view.toString('utf8');
  return text.includes('\ufffd') ? view.toString('latin1') : text;
}

/**
 * Joins all readings of data that could be text in more than one way. Preferring one would leave the other to an
 * attacker who writes for it. Null if there is no reading.
 */
export function eachOf(readings: readonly (string | null)[]): string | null {
  const texts = readings.filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join('\n');
}

/** A shared buffer for bytes that are decoded only to see whether they could be text. */
const SCRATCH = new Uint8Array(65_536);

export function scratchFor(length: number): Uint8Array {
  return length <= SCRATCH.length ? SCRATCH : new Uint8Array(length);
}

/**
 * Whether `textOf` could accept the first `length` bytes, without creating a string or an object. Nearly everything
 * that looks encoded is not, and is ruled out here.
 */
export function couldBeText(bytes: Uint8Array, length: number): boolean {
  let printable = 0;
  let letters = 0;
  let wide = 0;
  let zeroes = 0;
  let row = 0;
  let longest = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x20 && byte < 0x7f) {
      const lower = byte | 0x20;
      printable++;
      row++;
      if (row > longest) longest = row;
      if (byte === 0x20 || (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39)) letters++;
      continue;
    }
    if (byte === 0x0a) {
      printable++;
      row++;
      if (row > longest) longest = row;
      continue;
    }
    row = 0;
    if (byte >= 0x80) wide++;
    else if (byte === 0x0d || byte === 0x09 || isOfTerminal(byte)) printable++;
    else if (byte === 0) zeroes++;
  }
  if (length === 0) return false;
  if (printable === length) return letters * 2 >= length || length >= LEAST_STRING;
  if (zeroes * 2 >= length - 1 && letters * 4 >= length) return true;
  if (longest >= LEAST_STRING) return true;
  if (isWideText(bytes, length)) return true;
  if ((printable + wide) / length < READABLE) return false;
  return (wide * 8 <= length && letters * 2 >= length) || isUtf8(bytes, length);
}

/**
 * Checks UTF-8 by the lengths that lead bytes announce. Overlong forms pass here and are rejected later. A line of a
 * longer text may begin and end in the middle of a character.
 */
function isUtf8(bytes: Uint8Array, length: number): boolean {
  const isLine = length >= LEAST_STRING;
  let i = 0;
  if (isLine) while (i < 3 && ((bytes[i] as number) & 0xc0) === 0x80) i++;
  while (i < length) {
    const byte = bytes[i] as number;
    const more = byte < 0x80 ? 0 : byte < 0xc2 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : -1;
    if (more < 0) return false;
    if (i + more >= length) return isLine;
    for (let j = 1; j <= more; j++) if (((bytes[i + j] as number) & 0xc0) !== 0x80) return false;
    i += more + 1;
  }
  return true;
}
