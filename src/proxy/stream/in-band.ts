import { EVENT_MESSAGES } from '../../domain/event-message.ts';
import { isJsonLines, typeOf } from '../../domain/json-lines.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { StreamJob } from '../../domain/stream.ts';
import type { Dialect } from './dialect.ts';
import { errorEvents } from './error-events.ts';
import { errorMessage } from './error-message.ts';

/**
 * Errors for a client that is already reading a stream. Most SDKs take a stream that merely ends for a complete
 * response, so the error is sent as the last frame of the stream.
 */

export type StreamKind = StreamJob['kind'];

/** The kind of stream that a Content-Type stands for; null when it is none. */
export function streamKind(contentType: string | undefined): StreamKind | null {
  if (contentType === undefined) return null;
  const type = typeOf(contentType);
  if (type === 'text/event-stream') return 'sse';
  if (type === EVENT_MESSAGES) return 'eventstream';
  return isJsonLines(type) ? 'ndjson' : null;
}

export function errorFrame(kind: 'sse' | 'ndjson', refusal: Refusal, dialect?: Dialect): string;
export function errorFrame(kind: StreamKind, refusal: Refusal, dialect?: Dialect): string | Buffer;
export function errorFrame(kind: StreamKind, refusal: Refusal, dialect: Dialect = 'named'): string | Buffer {
  const { type, message } = refusal;
  const code = refusal.code ?? type;
  if (kind === 'eventstream') return errorMessage(code, message);
  // `error` is a string, because for an object one client prints `[object Object]` and another one fails.
  if (kind === 'ndjson') return `${JSON.stringify({ error: message, type, code })}\n`;
  return errorEvents(dialect, refusal);
}

const LF = 10;
const CR = 13;

/**
 * Whether the bytes sent so far end at a frame boundary. After half a frame, an error frame would be read as part of
 * it.
 */
export function atBoundary(kind: StreamKind, lastBytes: Uint8Array): boolean {
  const n = lastBytes.length;
  if (n === 0) return true;
  // A message does not end with bytes of its own.
  if (kind === 'eventstream') return false;
  const last = lastBytes[n - 1];
  if (kind === 'ndjson') return last === LF;
  if (last === LF) return lastBytes[n - 2] === LF || (lastBytes[n - 2] === CR && lastBytes[n - 3] === LF);
  return last === CR && lastBytes[n - 2] === CR;
}
