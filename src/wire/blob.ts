/**
 * Recognizes string values that are files: `data:` URLs, and long strings of nothing but base64.
 *
 * Only the value decides, never its key, because the sender chooses the keys.
 */
import { bytesAsText, readableInMedia, type Readable } from './binary.ts';
import { sniffMedia } from './media.ts';
import { percentDecode } from './percent.ts';
import { isNoise, saidInNoise } from './said-in-noise.ts';
import { wordsInCode } from './words-in-code.ts';

export interface Blob {
  /** The decoded content if it is text, otherwise null. */
  readonly text: string | null;
  /** The kind of content if it is not text (`image`, `pdf`, `binary`...), otherwise null. */
  readonly media: string | null;
  /** For the code of a media file: what there is to read in its place. Null: the value is to be read as it stands. */
  readonly mediaContent: MediaContent | null;
}

export interface MediaContent {
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
    if (/;\s*base64\s*$/i.test(header)) {
      const code = unwrapped(payload);
      return fromBase64(code, isPureBase64(code), header);
    }
    return { text: payload, media: null, mediaContent: null };
  }
  if (value.length < BLOB_CHARS) return null;
  const code = unwrapped(value);
  return isPureBase64(code) ? fromBase64(code, true, '') : null;
}

export function startsLikeDataUrl(value: string): boolean {
  return value.length > 5 && value.charCodeAt(4) === 58 && value.slice(0, 5).toLowerCase() === 'data:';
}

function fromBase64(code: string, pure: boolean, header: string): Blob {
  const bytes = Buffer.from(code, 'base64');
  const media = sniffMedia(bytes);
  if (media !== null && pure)
    return unscanned(code, media, header, readableInMedia(bytes, media, TEXT_HEADER.test(header)));
  const text = bytesAsText(bytes);
  if (pure && code.length >= BLOB_CHARS && isNoise(code, bytes, text))
    return unscanned(code, 'binary', header, { text: saidInNoise(code, bytes, text), isWhole: true });
  return { text, media: text === null ? (media ?? 'binary') : null, mediaContent: null };
}

function unscanned(code: string, media: string, header: string, readable: Readable): Blob {
  const said = PLAIN_HEADER.test(header) ? '' : header;
  return { text: null, media, mediaContent: { readable, header: said, wordsOfCode: wordsInCode(code) } };
}

/** Lines of whole groups of four characters decode to the same by themselves and together. */
const GROUP = 4;
const SHORTEST_LINE = 24;
const LONGEST_LINE = 256;

/** Without the line ends of a code that was written in lines of one length, as by programs for mail. */
function unwrapped(value: string): string {
  const first = value.slice(0, LONGEST_LINE + 2).indexOf('\n');
  if (first === -1) return value;
  const lineEnd = value[first - 1] === '\r' ? '\r\n' : '\n';
  const width = first + 1 - lineEnd.length;
  if (width < SHORTEST_LINE || width % GROUP !== 0) return value;
  const lines: string[] = [];
  for (let at = 0; at < value.length; at += width + lineEnd.length) {
    const end = at + width;
    if (end < value.length && !value.startsWith(lineEnd, end)) return value;
    lines.push(value.slice(at, end));
  }
  return lines.join('').replace(/\r?\n$/, '');
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
