/**
 * Extracts the passages of text from the bytes of a body, once they are unpacked (content-encoding.ts). A pure function that runs on scanning threads only.
 *
 * Two rules hold for all files in this folder:
 * - Text is not searched only under the keys where it belongs. Every string of every body is extracted, and the
 *   knowledge of a provider's API only says who wrote it.
 * - No body is read in part. If something in it cannot be read, the whole body is unreadable, with a reason that tells
 *   the sender what to change. What a stream said before it broke is handed over with the reason.
 */
import type { ScanJob, UnreadableReason } from '../domain/job.ts';
import { EVENT_MESSAGES } from '../domain/event-message.ts';
import { isJsonLines } from '../domain/json-lines.ts';
import type { Passage } from '../domain/passage.ts';
import { plainPath } from '../domain/plain-path.ts';
import { eventsOfMessages } from './event-messages.ts';
import { grammarOf } from './grammars.ts';
import { readMediaType } from './media-type.ts';
import { FILES_PATH } from './openai.ts';
import { createPassageCollector, type PassageCollector } from './passages.ts';
import { readParts } from './read-parts.ts';
import { responseGrammarOf } from './response.ts';
import { readText, startsLikeJson, type TextReading } from './read-text.ts';
import type { Turns } from './turns.ts';

export type Extraction =
  | {
      readonly kind: 'text';
      readonly passages: readonly Passage[];
      /** What the reader of a response puts together from passages that came apart: the chunks of one answer. */
      readonly assembled: readonly Passage[];
      /** Content of the body that is not readable text (images, token ids...), counted by kind. */
      readonly unscannable: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'unreadable';
      readonly reason: UnreadableReason;
      /** What was read before the bytes that cannot be, and goes out with them where failures pass. */
      readonly before?: Before;
    };

export type Before = Omit<Extract<Extraction, { kind: 'text' }>, 'kind'>;

/** Completions, models on Bedrock and SageMaker, and Text Generation Inference. Ollama writes the template itself. */
const RAW_PROMPT_PATHS =
  /(?<!\/chat)\/completions$|\/model\/[^/]+\/invoke(-with-response-stream)?$|\/invocations(-response-stream)?$|(?<!\/api)\/generate(_stream)?$/;

/** The messages of a binary event stream were read, and what follows is none. */
const BROKEN_OFF = 'broken-off';

/** `turns` is filled in if the body is a single JSON document with only one possible charset. */
export function extract(job: Omit<ScanJob, 'sensitive'>, turns?: Turns): Extraction {
  const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength);
  const into = createPassageCollector();
  const reason = readBody(bytes, job, into, turns) ?? (into.hasOverflowed() ? 'too-many-strings' : null);
  if (reason === BROKEN_OFF) {
    const passages = into.finish();
    const before = { passages, assembled: into.assembled, unscannable: into.unscannable };
    return { kind: 'unreadable', reason: 'invalid-text', ...(passages.length > 0 && { before }) };
  }
  if (reason !== null) return { kind: 'unreadable', reason };
  const passages = into.finish();
  if (turns !== undefined) turns.passages = passages.length;
  return { kind: 'text', passages, assembled: into.assembled, unscannable: into.unscannable };
}

function readBody(
  bytes: Buffer,
  job: Omit<ScanJob, 'sensitive'>,
  into: PassageCollector,
  turns: Turns | undefined,
): UnreadableReason | typeof BROKEN_OFF | null {
  const type = readMediaType(job.contentType);
  const lines = isJsonLines(type.type);
  const response = job.direction === 'response';
  const grammar = response ? responseGrammarOf(job.path) : grammarOf(job.wire, job.path);
  if (grammar === null) return null;
  const { root, caseless, isKnown, isFile = false } = grammar;
  if (response && type.type === EVENT_MESSAGES) {
    const { events, isWhole } = eventsOfMessages(bytes);
    const asEvents = { ...job, contentType: 'text/event-stream' };
    return readBody(events, asEvents, into, turns) ?? (isWhole ? null : BROKEN_OFF);
  }
  const reading: TextReading = {
    type,
    where: '(body)',
    isFile,
    mayBeEvents: response,
    json: {
      root,
      caseless,
      documents: lines || isFile ? 'many' : 'one',
      trusted: isKnown && (response || !lines),
      role: response ? 'assistant' : 'other',
      secrets: response,
      hasRawPrompt: !response && RAW_PROMPT_PATHS.test(plainPath(job.path)),
      turns,
    },
  };
  if (response || !type.type.startsWith('multipart/')) return readText(bytes, reading, into);
  // Some upstreams parse JSON whatever the Content-Type says. A multipart body that looks like JSON is read both ways.
  const json = startsLikeJson(bytes);
  const problem = json ? readText(bytes, reading, into) : null;
  const storesFiles = job.wire !== 'generic' && FILES_PATH.test(plainPath(job.path));
  const parts = readParts(bytes, type, storesFiles, into);
  return problem ?? (json && parts === 'malformed-multipart' ? null : parts);
}
