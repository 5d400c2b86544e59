/** Tells text from binary data, and finds what can be read inside of binary data. */
import { isUtf8 } from 'node:buffer';
import { decodeWide, sniffWideEncoding } from './charset.ts';
import type { Media } from './media.ts';
import { wordsInCode } from './words-in-code.ts';

/** Decodes bytes of an unknown kind as text, or returns null if they are not text. */
export function bytesAsText(bytes: Buffer): string | null {
  const wide = sniffWideEncoding(bytes);
  if (wide !== null) {
    const text = decodeWide(bytes, wide);
    if (readsAsText(text)) return text;
  }
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return readsAsText(text) ? text : null;
}

/**
 * What a media file says: all of it if it is text with a few stray bytes, whatever it begins with, otherwise the
 * printable runs that hold words: the text of a simple PDF, a comment in an image. What is said to be text is read to
 * its end, since whoever takes it for that reads on behind the first bytes of an image.
 */
export function readableInMedia(bytes: Buffer, media: Media, isSaidToBeText: boolean): Readable {
  const most = isSaidToBeText ? Infinity : media === 'pdf' ? MOST_OF_PDF : MOST_OF_OTHERS;
  const text = bytesAsText(bytes) ?? (isNarrowText(bytes) ? bytes.toString('latin1') : null);
  if (text === null) {
    const words = wordsInCode(printableRuns(bytes));
    return { text: words.slice(0, most), isWhole: words.length <= most };
  }
  // No other media file consists of text, but a PDF may hold its images as megabytes of hexadecimal digits.
  return { text: media === 'pdf' && text.length > most ? wordsInCode(text) : text, isWhole: true };
}

export interface Readable {
  readonly text: string;
  /** False where there was more to read than is read of such a file, so that it does not count as scanned. */
  readonly isWhole: boolean;
}

/**
 * The most that is read of a media file. Most of its text is compressed and cannot be read, and a file of five megabytes
 * must not take the time of a text of that length. In archives it is only the names of their files.
 */
const MOST_OF_PDF = 65_536;
const MOST_OF_OTHERS = 16_384;

/** Whether the bytes are text in ASCII with some bytes of another charset. Sound of eight bits has more of these. */
function isNarrowText(bytes: Buffer): boolean {
  if (looksBinary(bytes)) return false;
  let wide = 0;
  for (let at = 0; at < bytes.length; at++) wide += bytes[at]! >> 7;
  return wide * 4 < bytes.length;
}

/**
 * False if more than a tenth are control characters: text has hardly any, binary data that is valid UTF-8 by chance has
 * many.
 */
export function readsAsText(text: string): boolean {
  return controlsIn(text) * 10 <= text.length;
}

/** Every other byte of Latin text in UTF-16 is zero, and three of four in UTF-32. */
export function isMostlyControls(text: string): boolean {
  return controlsIn(text) * 5 > text.length * 2;
}

function controlsIn(text: string): number {
  let controls = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 32 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 27) || unit === 0xfffd) controls++;
  }
  return controls;
}

/**
 * More than one control character in 32 bytes means binary. Old text files in one-byte charsets have none, compressed
 * and numeric data have one in eight bytes.
 */
export function looksBinary(bytes: Buffer): boolean {
  const enough = bytes.length / 32;
  let controls = 0;
  for (let at = 0; at < bytes.length && controls <= enough; at++) controls += CONTROL[bytes[at]!]!;
  return controls > enough;
}

const CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27 ? 1 : 0,
);

/** Shorter runs of printable characters are ignored. */
const LEAST_RUN = 16;

const PRINTABLE = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13 ? 1 : 0,
);

/** All runs of printable ASCII of at least LEAST_RUN characters, one per line. */
export function printableRuns(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length + 1);
  let length = 0;
  // A run that is long enough covers a byte whose index is a multiple of LEAST_RUN, so only these are looked at.
  for (let probe = 0; probe < bytes.length; probe += LEAST_RUN) {
    if (PRINTABLE[bytes[probe]!] === 0) continue;
    let start = probe;
    while (start > 0 && PRINTABLE[bytes[start - 1]!] === 1) start--;
    let end = probe + 1;
    while (end < bytes.length && PRINTABLE[bytes[end]!] === 1) end++;
    if (end - start >= LEAST_RUN) {
      length += bytes.copy(out, length, start, end);
      out[length++] = 10;
    }
    probe = end - (end % LEAST_RUN);
  }
  return out.toString('latin1', 0, Math.max(0, length - 1));
}

/** The same for letters of ASCII in UTF-16, wherever they begin: each of them stands beside a zero byte. */
export function wideRuns(bytes: Buffer): string {
  const found: string[] = [];
  for (let start = 0; start + 1 < bytes.length; start++) {
    if (bytes[start + 1] !== 0 || PRINTABLE[bytes[start]!] === 0) continue;
    let end = start + 2;
    while (end + 1 < bytes.length && bytes[end + 1] === 0 && PRINTABLE[bytes[end]!] === 1) end += 2;
    if (end - start < 2 * LEAST_RUN) continue;
    // Where the zero byte comes first, the last letter has none behind it.
    const last =
      bytes[start - 1] === 0 && PRINTABLE[bytes[end] ?? 0] === 1 ? bytes.toString('latin1', end, end + 1) : '';
    found.push(bytes.toString('utf16le', start, end) + last);
    start = end - 1;
  }
  return found.join('\n');
}
