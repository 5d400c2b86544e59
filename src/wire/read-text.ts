/**
 * Reads the bytes of a body, or of one part of it. The content decides whether they are read as JSON, whatever the
 * Content-Type says. Otherwise they are read as SSE events, a form, plain text or a binary file.
 */
import { isUtf8 } from 'node:buffer';
import type { UnreadableReason } from '../domain/job.ts';
import { isJsonLines } from '../domain/json-lines.ts';
import { unescape } from '../text/escapes.ts';
import { isMostlyControls, looksBinary, printableRuns, readableInMedia, readsAsText } from './binary.ts';
import { decodings, isWideLabel, sniffWideEncoding } from './charset.ts';
import { readChunks } from './chunks.ts';
import { looksLikeEvents, readEvents } from './events.ts';
import { sniffMedia, type Media } from './media.ts';
import { hasRfc2231Spelling, type MediaType } from './media-type.ts';
import type { PassageCollector } from './passages.ts';
import { percentDecode } from './percent.ts';
import { opensDocument, opensList } from './document-start.ts';
import { readJson, type JsonReading } from './read-json.ts';
import { readValue } from './read-value.ts';

export interface TextReading {
  readonly type: MediaType;
  readonly where: string;
  /** An uploaded file, which may be binary. */
  readonly isFile: boolean;
  /** The body of a response, which may consist of server-sent events. */
  readonly mayBeEvents: boolean;
  readonly json: JsonReading;
}

/** Adds the text of the bytes to the passages, once per possible charset. Returns a reason when they cannot be read. */
export function readText(bytes: Buffer, reading: TextReading, into: PassageCollector): UnreadableReason | null {
  if (bytes.length === 0) return null;
  const charsets = reading.type.parameters.get('charset') ?? [];
  if (charsets.length > 1 || hasRfc2231Spelling(reading.type, 'charset')) return 'charset';
  const charset = charsets[0] ?? '';
  const texts = decodings(bytes, charset);
  if (texts === 'charset') return texts;
  const media = startsLikeJson(bytes) ? null : sniffMedia(bytes);
  if (media !== null) into.countUnscannable(media);
  if (texts === 'invalid-text' || isNoise(bytes, texts)) return readBinary(bytes, reading, media, into);
  const narrow = narrowReading(bytes, charset);
  const isCertain = texts.length === 1 && narrow === null;
  const { turns, trusted } = reading.json;
  const json = { ...reading.json, trusted: trusted && isCertain, turns: isCertain ? turns : undefined };
  for (const text of narrow === null ? texts : [...texts, narrow]) readDecoded(text, { ...reading, json }, into);
  return null;
}

/**
 * What a parser that takes everything for UTF-8 reads in bytes that look like UTF-16 or UTF-32, or are said to be. A
 * few leading zero bytes are enough to look like that, and one byte that no UTF-8 has is enough for it to be no other
 * text: many parsers put a sign in its place, and read on. Null where nothing but UTF-16 or UTF-32 is written so, with
 * zero bytes between its letters.
 */
function narrowReading(bytes: Buffer, charset: string): string | null {
  if (isUtf8(bytes) || (sniffWideEncoding(bytes) === null && !isWideLabel(charset))) return null;
  const text = bytes.toString('utf8');
  return printableRuns(bytes) === '' && isMostlyControls(text) ? null : text;
}

/** Reads the runs of printable ASCII. UTF-16 and UTF-32 text has none, since zero bytes separate its characters. */
function readPrintable(bytes: Buffer, reading: TextReading, into: PassageCollector): void {
  const text = printableRuns(bytes);
  if (text !== '') readDecoded(text, { ...reading, json: { ...reading.json, trusted: false } }, into);
}

function readDecoded(text: string, reading: TextReading, into: PassageCollector): void {
  const { json, where, type } = reading;
  if (reading.mayBeEvents && looksLikeEvents(text, type.type)) {
    readEvents(text, json, into);
    return;
  }
  const isForm = type.type === 'application/x-www-form-urlencoded';
  if (opensDocument(text)) {
    const isWellFormed = readJson(text, json, into);
    if (isForm && !isWellFormed) readForm(text, reading, into);
    // A single object is an answer by itself, and a stored file is nothing that is told bit by bit.
    const mayBeChunks = reading.mayBeEvents && !reading.isFile;
    if (mayBeChunks && (!isWellFormed || json.documents === 'many' || opensList(text)) && !into.hasOverflowed())
      readChunks(text, json, into);
    return;
  }
  if (isForm) readForm(text, reading, into);
  readValue(text, { role: json.role, where, message: 0, isText: true, underKey: '' }, into);
  // Some parsers accept it as JSON nevertheless, for example with a leading comment or single quotes. So escapes are
  // undone.
  if (text.includes('\\')) into.add(unescape(text), json.role, where, into.nextMessage());
}

function readForm(text: string, { json, where }: TextReading, into: PassageCollector): void {
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    for (const [at, piece] of (equals === -1 ? [pair] : [pair.slice(0, equals), pair.slice(equals + 1)]).entries()) {
      if (!into.spendString()) return;
      if (piece === '') continue;
      const underKey = equals !== -1 && at === 0 ? null : '';
      const value = { role: json.role, where, message: 0, isText: false, underKey };
      readValue(percentDecode(piece.replaceAll('+', ' ')), value, into);
    }
  }
}

/** Text types. Bytes of these types that are not text were sent deliberately, and are refused. */
const TEXT_TYPES = /^text\/|[/+](json|xml|yaml|x-www-form-urlencoded)$/;

/**
 * Handles bytes that are not text in any encoding. Some parser may read text in them all the same, whatever they begin
 * with, so they are read byte by byte, or refused, and never skipped.
 */
function readBinary(
  bytes: Buffer,
  reading: TextReading,
  media: Media | null,
  into: PassageCollector,
): UnreadableReason | null {
  const { json, where, type, isFile } = reading;
  if (!isFile && (startsLikeJson(bytes) || TEXT_TYPES.test(type.type) || isJsonLines(type.type))) return 'invalid-text';
  const asText = { ...reading, where, json: { ...json, trusted: false } };
  if (media !== null) {
    const { text, isWhole } = readableInMedia(bytes, media, TEXT_TYPES.test(type.type));
    if (text !== '') readDecoded(text, asText, into);
    if (!isWhole) into.countUnscannable('binary');
    return null;
  }
  const binary = looksBinary(bytes);
  if (!isFile && !binary) return 'invalid-text';
  if (binary) into.countUnscannable('binary');
  if (binary) readPrintable(bytes, reading, into);
  else readDecoded(bytes.toString('latin1'), asText, into);
  return null;
}

/**
 * Whether bytes that begin like UTF-16 or UTF-32 are not text in fact, but binary data with zero bytes at its start.
 */
function isNoise(bytes: Buffer, texts: readonly string[]): boolean {
  return sniffWideEncoding(bytes) !== null && !startsLikeJson(bytes) && !texts.some(readsAsText);
}

/** Spaces, the zero bytes of wide characters, and byte order marks. */
const BLANKS: ReadonlySet<number> = new Set([0, 9, 10, 13, 32, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

/** Whether the first byte that is not blank begins a JSON document. Works for UTF-8, UTF-16 and UTF-32. */
export function startsLikeJson(bytes: Uint8Array): boolean {
  const first = firstSaid(bytes);
  return first === 123 || first === 91 || first === 34;
}

export function startsLikeObject(bytes: Uint8Array): boolean {
  return firstSaid(bytes) === 123;
}

function firstSaid(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !BLANKS.has(byte));
}
