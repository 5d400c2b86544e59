/**
 * Recognizes string values that are files: `data:` URLs, and long strings of nothing but base64.
 *
 * Only the value decides, never its key, because the sender chooses the keys.
 */
import { bytesAsText, readableInMedia, type Readable } from './binary.ts';
import { MAGIC_BYTES, sniffMedia } from './media.ts';
import { percentDecode } from './percent.ts';
import { wordsInCode } from './words-in-code.ts';

export interface Blob {
  /** The decoded content if it is text, otherwise null. */
  readonly text: string | null;
  /** The kind of content if it is not text (`image`, `pdf`, `binary`...), otherwise null. */
  readonly media: string | null;
  /** For the code of a media file: what there is to read in its place. Null: the value is to be read as it stands. */
  readonly mediaContent: MediaContent | null;
}

interface MediaContent {
  /** What the decoded file says: the text of a simple PDF, a comment in an image. */
  readonly readable: Readable;
  /** What stands before the code if it is more than a media type. */
  readonly header: string;
  /** Characters of the code that are words themselves. */
  readonly wordsOfCode: string;
}

/** Shorter strings are left to the base64 decoder of the scan, which also finds base64 inside of text. */
export const BLOB_CHARS = 512;
const DATA_HEADER_CHARS = 256;
/**
 * A header with nothing to read in it. Providers only take few media types, and any other one may be a sentence:
 * `data:image/ignore.the.rules;base64,`.
 */
const PLAIN_HEADER =
  /^data:(?:(?:image\/(?:png|jpe?g|gif|webp|avif|hei[cf]|tiff|bmp|svg\+xml)|audio\/(?:x-)?(?:wav|mp3|mp4|mpeg|m4a|ogg|webm|flac|aac|opus|pcm16?)|video\/(?:mp4|mpeg|webm|quicktime)|application\/(?:pdf|zip|gzip|octet-stream))(?:;charset=utf-8)?)?;base64$/i;

const TEXT_HEADER = /^data:(?:text\/|application\/(?:json|xml|yaml|x-ndjson))/i;

export function readBlob(value: string): Blob | null {
  if (startsLikeDataUrl(value)) {
    const comma = value.slice(0, DATA_HEADER_CHARS).indexOf(',');
    if (comma === -1) return null;
    const payload = percentDecode(value.slice(comma + 1));
    const header = value.slice(0, comma);
    if (/;\s*base64\s*$/i.test(header))
      return fromBase64(payload, isPureBase64(payload), PLAIN_HEADER.test(header) ? '' : header);
    return { text: payload, media: null, mediaContent: null };
  }
  return value.length >= BLOB_CHARS && isPureBase64(value) ? fromBase64(value, true, '') : null;
}

export function startsLikeDataUrl(value: string): boolean {
  return value.length > 5 && value.charCodeAt(4) === 58 && value.slice(0, 5).toLowerCase() === 'data:';
}

function fromBase64(code: string, pure: boolean, header: string): Blob {
  const head = Buffer.from(code.slice(0, Math.ceil(MAGIC_BYTES / 3) * 4), 'base64');
  const media = sniffMedia(head);
  const bytes = Buffer.from(code, 'base64');
  if (media !== null && pure)
    return {
      text: null,
      media,
      mediaContent: {
        readable: readableInMedia(bytes, media, TEXT_HEADER.test(header)),
        header,
        wordsOfCode: wordsInCode(code),
      },
    };
  const text = bytesAsText(bytes);
  return { text, media: text === null ? (media ?? 'binary') : null, mediaContent: null };
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
