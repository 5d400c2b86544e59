/**
 * From a body's bytes to the passages of text in it. Pure, and worker-side only.
 *
 * Two rules hold everywhere below. Text is never looked for under the keys where it ought to stand: every string of every body
 * is taken, and what is known of a provider's wire only says who wrote it. And nothing is read in part: what cannot be
 * read whole makes the body unreadable, with a reason that is the sender's to mend.
 */
import type { ScanJob, UnreadableReason } from '../domain/job.ts';
import { isJsonLines } from '../domain/json-lines.ts';
import type { Passage } from '../domain/passage.ts';
import { decodeContent } from './content-encoding.ts';
import { grammarOf } from './endpoint.ts';
import { readMediaType } from './media-type.ts';
import { passagesOfBody, type Passages } from './passages.ts';
import { readParts } from './read-parts.ts';
import { responseGrammarOf } from './response.ts';
import { readText, startsLikeJson, type TextReading } from './read-text.ts';
import type { Turns } from './turns.ts';

export type Extraction =
  | {
      readonly kind: 'text';
      readonly passages: readonly Passage[];
      /** What stood in the body as something other than readable text, counted by kind. */
      readonly unscannable: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

/** `turns` is filled where the body is one JSON document, read in one way. */
export function extract(job: Omit<ScanJob, 'sensitive'>, turns?: Turns): Extraction {
  const decoded = decodeContent(job.bytes, job.contentEncoding);
  if (typeof decoded === 'string') return { kind: 'unreadable', reason: decoded };
  const bytes = Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength);
  const into = passagesOfBody();
  const reason = readBody(bytes, job, into, turns) ?? (into.overflowed() ? 'too-many-strings' : null);
  if (reason !== null) return { kind: 'unreadable', reason };
  const passages = into.finish();
  if (turns !== undefined) turns.passages = passages.length;
  return { kind: 'text', passages, unscannable: into.unscannable };
}

function readBody(
  bytes: Buffer,
  job: Omit<ScanJob, 'sensitive'>,
  into: Passages,
  turns: Turns | undefined,
): UnreadableReason | null {
  const type = readMediaType(job.contentType);
  const lines = isJsonLines(type.type);
  const response = job.direction === 'response';
  const grammar = response ? responseGrammarOf(job.path) : grammarOf(job.wire, job.path);
  if (grammar === null) return null;
  const { root, caseless, known, file = false } = grammar;
  const reading: TextReading = {
    type,
    where: '(body)',
    file,
    events: response,
    json: {
      root,
      caseless,
      documents: lines || file ? 'many' : 'one',
      trusted: known && (response || !lines),
      role: response ? 'assistant' : 'other',
      turns,
    },
  };
  if (response || !type.type.startsWith('multipart/')) return readText(bytes, reading, into);
  // Some upstreams read JSON whatever the label says: such a body is read both ways.
  const json = startsLikeJson(bytes);
  const problem = json ? readText(bytes, reading, into) : null;
  const parts = readParts(bytes, type, into);
  return problem ?? (json && parts === 'malformed-multipart' ? null : parts);
}
