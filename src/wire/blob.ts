/**
 * Recognizes string values that are files: `data:` URLs, and long strings of nothing but base64.
 *
 * Only the value decides, never its key, because the sender chooses the keys.
 */
import { isUtf8 } from 'node:buffer';
import { decodeWide, sniffWide } from './charset.ts';
import { MAGIC_BYTES, sniffMedia } from './media.ts';
import { percentDecode } from './percent.ts';

export interface Blob {
  /** The decoded content if it is text, otherwise null. */
  readonly text: string | null;
  /** The kind of content if it is not text (`image`, `pdf`, `binary`...), otherwise null. */
  readonly media: string | null;
  /** The payload is nothing but base64 characters, which contain no readable text themselves. */
  readonly pure: boolean;
}

/** Shorter strings are left to the base64 decoder of the scan, which also finds base64 inside of text. */
export const BLOB_CHARS = 512;
const DATA_HEADER_CHARS = 256;

export function readBlob(value: string): Blob | null {
  if (startsLikeDataUrl(value)) {
    const comma = value.slice(0, DATA_HEADER_CHARS).indexOf(',');
    if (comma === -1) return null;
    const payload = value.slice(comma + 1);
    if (/;\s*base64\s*$/i.test(value.slice(0, comma))) return fromBase64(payload, isPureBase64(payload));
    return { text: percentDecode(payload), media: null, pure: false };
  }
  return value.length >= BLOB_CHARS && isPureBase64(value) ? fromBase64(value, true) : null;
}

export function startsLikeDataUrl(value: string): boolean {
  return value.length > 5 && value.charCodeAt(4) === 58 && value.slice(0, 5).toLowerCase() === 'data:';
}

function fromBase64(payload: string, pure: boolean): Blob {
  const head = Buffer.from(payload.slice(0, Math.ceil(MAGIC_BYTES / 3) * 4), 'base64');
  const media = sniffMedia(head);
  if (media !== null && pure) return { text: null, media, pure };
  const text = bytesAsText(Buffer.from(payload, 'base64'));
  return { text, media: text === null ? (media ?? 'binary') : null, pure };
}

/** Decodes bytes of an unknown kind as text, or returns null if they are not text. */
function bytesAsText(bytes: Buffer): string | null {
  const wide = sniffWide(bytes);
  if (wide !== null) {
    const text = decodeWide(bytes, wide);
    if (readsAsText(text)) return text;
  }
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return readsAsText(text) ? text : null;
}

/**
 * False if more than a tenth are control characters: text has hardly any, binary data that is valid UTF-8 by chance has
 * many.
 */
export function readsAsText(text: string): boolean {
  let odd = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 32 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 27) || unit === 0xfffd) odd++;
  }
  return odd * 10 <= text.length;
}

/**
 * Searches for a character that is not base64. A regular expression that matches base64 characters would save a
 * backtracking state for each of millions of characters.
 */
function isPureBase64(text: string): boolean {
  let end = text.length;
  while (end > 0 && text.length - end < 2 && text.charCodeAt(end - 1) === 61) end--;
  return end > 0 && !/[^A-Za-z0-9+/_-]/.test(text.slice(0, end));
}
