/** Reads a multipart body: every field and every file, including the headers of each part. */
import type { UnreadableReason } from '../domain/job.ts';
import type { Role } from '../domain/passage.ts';
import { hasRfc2231Spelling, readMediaType, valuesInAllSpellings, type MediaType } from './media-type.ts';
import { generic } from './generic.ts';
import { splitParts, type Part } from './multipart.ts';
import type { PassageCollector } from './passages.ts';
import { hexDigit, percentDecode } from './percent.ts';
import { readText, type TextReading } from './read-text.ts';
import { FILE_LINE } from './openai.ts';

/** Form fields that a model reads as text of the user. Files have the role `document`, other fields `other`. */
const FIELD_ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['prompt', 'user'],
  ['input', 'user'],
  ['query', 'user'],
]);

/** What a file is uploaded for when its lines are the application's own. All others are a third party's. */
const PURPOSES_OF_LINES = new Set(['batch', 'fine-tune']);

/** `storesFiles`: the path is one where files are kept for what the form says. */
export function readParts(
  bytes: Buffer,
  type: MediaType,
  storesFiles: boolean,
  into: PassageCollector,
): UnreadableReason | null {
  const boundaries = type.parameters.get('boundary') ?? [];
  if (boundaries.length !== 1 || hasRfc2231Spelling(type, 'boundary')) return 'malformed-multipart';
  const parts = splitParts(bytes, boundaries[0]!);
  if (typeof parts === 'string') return parts;
  const trusted = storesFiles && holdsLines(parts);
  for (const part of parts) {
    const problem = readPart(part, trusted, into);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * Whether the form says that its file holds lines of the application. Servers differ in which of two purposes they take,
 * and in how they read unusual names, so there must be one purpose only, in the plain spelling.
 */
function holdsLines(parts: readonly Part[]): boolean {
  const purposes = parts.filter((part) =>
    valuesInAllSpellings(dispositionOf(headersOf(part.headers)), 'name').some((name) =>
      /purpose/i.test(percentDecode(name)),
    ),
  );
  const [purpose] = purposes;
  if (purpose === undefined || purposes.length > 1) return false;
  const { parameters } = dispositionOf(headersOf(purpose.headers));
  const isPlainField = parameters.size === 1 && parameters.get('name')?.join() === 'purpose';
  return isPlainField && PURPOSES_OF_LINES.has(purpose.body.toString('latin1'));
}

function readPart(part: Part, trusted: boolean, into: PassageCollector): UnreadableReason | null {
  const headers = headersOf(part.headers);
  const disposition = dispositionOf(headers);
  for (const key of ['name', 'filename'])
    for (const name of valuesInAllSpellings(disposition, key)) into.add(percentDecode(name), 'other', '(part name)', 0);
  // All headers once more, verbatim.
  if (part.headers !== '') into.add(part.headers, 'other', '(part headers)', 0);

  const isNamed = disposition.parameters.has('filename');
  const isFile = isNamed || hasRfc2231Spelling(disposition, 'filename');
  const field = disposition.parameters.get('name')?.[0] ?? '';
  const role = isFile ? 'document' : (FIELD_ROLES.get(field) ?? 'other');
  const reading: TextReading = {
    type: readMediaType(headers.get('content-type') ?? ''),
    where: isFile ? '(file)' : '(field)',
    isFile,
    mayBeEvents: false,
    // Where only some parsers see a file, the others see a field, in which nobody believes a role.
    json: {
      root: isFile ? FILE_LINE : generic,
      documents: 'many',
      caseless: false,
      trusted: trusted && isNamed,
      role,
      secrets: false,
    },
  };
  const bodies = decodeTransfer(part.body, headers.get('content-transfer-encoding') ?? '');
  if (bodies === null) return 'malformed-multipart';
  for (const body of bodies) {
    const problem = readText(body, reading, into);
    if (problem !== null) return problem;
  }
  return null;
}

function dispositionOf(headers: ReadonlyMap<string, string>): MediaType {
  return readMediaType(headers.get('content-disposition') ?? '');
}

function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of unfolded(text)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const earlier = headers.get(name);
    headers.set(name, (earlier === undefined ? '' : `${earlier};`) + line.slice(colon + 1).trim());
  }
  return headers;
}

/** Joins folded header lines: a line that begins with a space or tab continues the previous one. */
function unfolded(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (lines.length > 0 && (line.startsWith(' ') || line.startsWith('\t')))
      lines.push(`${(lines.pop() as string).trimEnd()} ${line.trim()}`);
    else lines.push(line);
  }
  return lines;
}

/**
 * Returns the body both as sent and decoded. Content-Transfer-Encoding is obsolete in forms: some servers decode it,
 * most ignore it. Null for an unknown encoding.
 */
function decodeTransfer(bytes: Buffer, encoding: string): readonly Buffer[] | null {
  switch (encoding.toLowerCase()) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return [bytes];
    case 'base64':
      return [bytes, Buffer.from(bytes.toString('latin1'), 'base64')];
    case 'quoted-printable':
      return [bytes, decodeQuotedPrintable(bytes)];
    default:
      return null;
  }
}

const EQUALS = 61;

function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let size = 0;
  // Soft line breaks are removed first, because one may split an escape such as `=C3`.
  for (let at = 0; at < bytes.length; at++) {
    const next = bytes[at] === EQUALS ? behindSoftBreak(bytes, at + 1) : 0;
    if (next > 0) at = next - 1;
    else out[size++] = bytes[at]!;
  }
  let length = 0;
  for (let at = 0; at < size; at++) {
    const high = out[at] === EQUALS && at + 2 < size ? hexDigit(out[at + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(out[at + 2]);
    out[length++] = low < 0 ? out[at]! : high * 16 + low;
    if (low >= 0) at += 2;
  }
  return out.subarray(0, length);
}

/**
 * The offset after a soft line break (`=`, optional spaces, line end), given the offset after the `=`. 0 if there is
 * none.
 */
function behindSoftBreak(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 9) at++;
  if (bytes[at] === 13) at++;
  return bytes[at] === 10 ? at + 1 : 0;
}
