import { BLOB_CHARS, readBlob, type MediaContent } from './blob.ts';

/** What a tool returned as JSON may hold pictures: MCP writes `{"type":"image","data":"iVBORw0..."}`. */

export interface Media {
  readonly kind: string;
  readonly content: MediaContent;
}

/** The value as the code of a file whose kind its first bytes tell; null if it is anything else, like noise. */
export function mediaOf(value: string): Media | null {
  if (value.length < BLOB_CHARS) return null;
  const blob = readBlob(value);
  return blob === null || blob.mediaContent === null || blob.media === null || blob.media === 'binary'
    ? null
    : { kind: blob.media, content: blob.mediaContent };
}

/** The text without the codes of files that stand between two quotes. Each is given to `take`. */
export function withoutQuotedMedia(text: string, take: (media: Media) => void): string {
  if (text.length < BLOB_CHARS) return text;
  let left = '';
  let copied = 0;
  for (let open = text.indexOf('"'); open !== -1;) {
    const close = text.indexOf('"', open + 1);
    if (close === -1) break;
    if (close - open > BLOB_CHARS) {
      // In a document inside of a string the quotes are escaped.
      const end = text.charCodeAt(close - 1) === BACKSLASH ? close - 1 : close;
      const media = mediaOf(text.slice(open + 1, end));
      if (media !== null) {
        take(media);
        left += text.slice(copied, open + 1);
        copied = end;
      }
    }
    open = close;
  }
  return copied === 0 ? text : left + text.slice(copied);
}

const BACKSLASH = 92;
