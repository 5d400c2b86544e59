/**
 * Splits a multipart body into its parts.
 *
 * Parsers differ in what they accept as a boundary. Text after a boundary that only the upstream recognizes would pass
 * unscanned inside what we took for an image. So a body in which the delimiter occurs anywhere but on its own line is
 * refused. Boundaries are random, so a legitimate file does not contain one.
 */
import type { UnreadableReason } from '../domain/job.ts';

export interface Part {
  readonly headers: string;
  readonly body: Buffer;
}

const MAX_PARTS = 100;
const MAX_HEADER_BYTES = 8 * 1024;
const MAX_BOUNDARY_CHARS = 256;
const LF = 10;
const CR = 13;
const DASH = 45;

export function splitParts(bytes: Buffer, boundary: string): readonly Part[] | UnreadableReason {
  if (boundary === '' || boundary.length > MAX_BOUNDARY_CHARS) return 'malformed-multipart';
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Part[] = [];
  // No parser reads the text before the first and after the last part, but it is scanned like the rest of the body.
  let from = 0;
  let isInsidePart = false;
  let inside = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, from)) {
    if (at > 0 && bytes[at - 1] !== LF) return 'malformed-multipart';
    const end = bytes[at - 2] === CR ? at - 2 : Math.max(from, at - 1);
    if (isInsidePart && ++inside > MAX_PARTS) return 'too-many-parts';
    const problem = addPart(parts, bytes.subarray(from, Math.max(from, end)), isInsidePart);
    if (problem !== null) return problem;
    from = at + delimiter.length;
    if (bytes[from] === DASH && bytes[from + 1] === DASH) {
      if (bytes.indexOf(delimiter, from) !== -1) return 'malformed-multipart';
      return addPart(parts, bytes.subarray(from + 2), false) ?? parts;
    }
    while (bytes[from] === 32 || bytes[from] === 9) from++;
    if (bytes[from] === CR) from++;
    if (bytes[from] !== LF) return 'malformed-multipart';
    from++;
    isInsidePart = true;
  }
  return 'malformed-multipart';
}

/** Adds the bytes as a part; as one without headers if they are outside of the boundaries (`isInsidePart` is false). */
function addPart(parts: Part[], bytes: Buffer, isInsidePart: boolean): UnreadableReason | null {
  if (!isInsidePart) {
    if (bytes.some((byte) => byte !== LF && byte !== CR)) parts.push({ headers: '', body: bytes });
    return null;
  }
  const blank = endOfHeaders(bytes);
  if (blank === null) return 'malformed-multipart';
  parts.push({ headers: bytes.toString('utf8', 0, blank.end), body: bytes.subarray(blank.next) });
  return null;
}

/** Finds the empty line after the headers, with CRLF or LF. It may be the first line of the part. */
function endOfHeaders(bytes: Buffer): { readonly end: number; readonly next: number } | null {
  let line = 0;
  while (line <= MAX_HEADER_BYTES) {
    const lineEnd = bytes.indexOf(LF, line);
    if (lineEnd === -1 || lineEnd > MAX_HEADER_BYTES) return null;
    if (lineEnd === line || (lineEnd === line + 1 && bytes[line] === CR)) return { end: line, next: lineEnd + 1 };
    line = lineEnd + 1;
  }
  return null;
}
