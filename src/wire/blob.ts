/**
 * A string value that is a file: a `data:` URL, or long and nothing but base64.
 *
 * Known by the shape of the value, never by the key it stands under: keys belong to the sender.
 */
import { isUtf8 } from 'node:buffer';
import { decodeWide, sniffWide } from './charset.ts';
import { MAGIC_BYTES, sniffMedia } from './media.ts';
import { percentDecode } from './percent.ts';

export interface Blob {
  /** What it holds, when that is text. */
  readonly text: string | null;
  /** What it holds, when that is not text. */
  readonly media: string | null;
  /** Nothing but base64: read as characters it says nothing, so it need not be scanned as characters. */
  readonly pure: boolean;
}

/** Shorter strings are left to the decoders of the scan, which find base64 inside of text too. */
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

/** Bytes of unknown origin as text, when that is what they are. */
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

/** Text has hardly any control characters; binary data that happens to be valid text is full of them. */
export function readsAsText(text: string): boolean {
  let odd = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 32 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 27) || unit === 0xfffd) odd++;
  }
  return odd * 10 <= text.length;
}

/** Searching for what is not base64: matching what is would keep a way back for each of millions of characters. */
function isPureBase64(text: string): boolean {
  let end = text.length;
  while (end > 0 && text.length - end < 2 && text.charCodeAt(end - 1) === 61) end--;
  return end > 0 && !/[^A-Za-z0-9+/_-]/.test(text.slice(0, end));
}
