/** Reads one string of a document: as text, and also as a file or a JSON document if it contains one. */
import { unescape } from '../text/escapes.ts';
import { readLiterals } from '../text/strings.ts';
import type { Role } from '../domain/passage.ts';
import { BLOB_CHARS, readBlob, startsLikeDataUrl, type MediaContent } from './blob.ts';
import { isModelName } from './model-name.ts';
import { opensContainer } from './document-start.ts';
import { SMALL_CHARS, type PassageCollector } from './passages.ts';
import { mediaOf, withoutQuotedMedia, type Media } from './quoted-media.ts';

export interface ValueContext {
  readonly role: Role;
  readonly where: string;
  readonly message: number;
  /** The string is at a place where the upstream reads text. */
  readonly isText: boolean;
  /** The key that the string stands under; null if it is a key itself. */
  readonly underKey: string | null;
}

/** Files and documents may be nested: for example tool arguments in a line of a batch in an uploaded file. */
const MAX_NESTING = 3;

export function readValue(text: string, value: ValueContext, into: PassageCollector, nesting = 0): void {
  // A tool returns pictures where it returns text.
  const media = value.isText && value.role === 'tool_result' ? mediaOf(text) : null;
  if (media !== null) {
    addMedia(media, value, into);
    return;
  }
  if (startsLikeDataUrl(text) || (!value.isText && text.length >= BLOB_CHARS)) {
    const blob = readBlob(text);
    if (blob !== null) {
      if (blob.media !== null) into.countUnscannable(blob.media);
      if (blob.mediaContent !== null) {
        addReadable(blob.mediaContent, value, into);
        // The code of a media file needs no scan, unless the upstream reads this string as text.
        if (!value.isText) {
          addWordsOfCode(blob.mediaContent, value, into);
          return;
        }
      }
      if (blob.text !== null && nesting < MAX_NESTING) {
        readValue(blob.text, { ...value, isText: true, where: `${value.where}<data>` }, into, nesting + 1);
      }
    }
  }
  if (value.role === 'tool_result') {
    const rest = withoutQuotedMedia(text, (found) => addMedia(found, value, into));
    addString(rest, value, into, nesting);
  } else addString(text, value, into, nesting);
}

function addString(text: string, value: ValueContext, into: PassageCollector, nesting: number): void {
  if (nesting < MAX_NESTING && opensContainer(text) && text.includes('\\')) {
    readNestedDocument(text, value, into, nesting + 1);
  }
  const { role, where, message, isText, underKey } = value;
  if (isText) into.add(text, role, where, message);
  else if (text.length <= SMALL_CHARS && isModelName(text)) return;
  else if (underKey === null) into.addAside(text, role, where, message);
  else into.addValue(text, role, where, message, underKey);
}

/** Reads the code of a media file in place of its text. */
function addMedia({ kind, content }: Media, value: ValueContext, into: PassageCollector): void {
  into.countUnscannable(kind);
  addReadable(content, value, into);
  addWordsOfCode(content, value, into);
}

function addReadable({ readable }: MediaContent, value: ValueContext, into: PassageCollector): void {
  addAside(readable.text, value, into);
  if (!readable.isWhole) into.countUnscannable('binary');
}

function addWordsOfCode({ header, wordsOfCode }: MediaContent, value: ValueContext, into: PassageCollector): void {
  addAside(header, value, into);
  addAside(wordsOfCode, value, into);
}

/** Adds text from inside of a media file: a file between two parts of a sentence does not keep them apart. */
function addAside(text: string, { role, where, message }: ValueContext, into: PassageCollector): void {
  if (text !== '') into.addAside(text, role, where, message);
}

const ignore = (): void => {};

/**
 * Reads the literals of a JSON document inside a string. Only those with escapes are added: the others are part of the
 * surrounding string verbatim, which is scanned as a whole.
 */
function readNestedDocument(text: string, value: ValueContext, into: PassageCollector, nesting: number): void {
  const inner: ValueContext = { ...value, isText: false, where: `${value.where}<json>` };
  const take = (literal: string, escaped: boolean): boolean => {
    if (escaped && literal !== '') readValue(literal, inner, into, nesting);
    return into.spendString();
  };
  const isWellFormed = readLiterals(
    text,
    { levels: 0, open: ignore, close: ignore, key: take, value: take, scalars: ignore, number: null },
    'many',
  );
  if (!isWellFormed && !into.hasOverflowed()) into.add(unescape(text), value.role, inner.where, value.message);
}
