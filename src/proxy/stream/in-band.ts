import { isJsonLines, typeOf } from '../../domain/json-lines.ts';
import type { Refusal } from '../../domain/refusal.ts';

/**
 * An error for a client that is already reading a stream. A stream that merely ends is taken for a complete answer by
 * most SDKs, so it is told in the stream itself, in the one form on which all of them raise: flat and nested at once.
 */

export type StreamKind = 'sse' | 'ndjson';

export function streamKind(contentType: string | undefined): StreamKind | null {
  if (contentType === undefined) return null;
  const type = typeOf(contentType);
  if (type === 'text/event-stream') return 'sse';
  return isJsonLines(type) ? 'ndjson' : null;
}

export function errorFrame(kind: StreamKind, refusal: Refusal): string {
  const { type, message } = refusal;
  const code = refusal.code ?? type;
  if (kind === 'ndjson') {
    // A string, not an object: one client prints `[object Object]` and another fails on it.
    return `${JSON.stringify({ error: message, type, code })}\n`;
  }
  // The number is there for a client that validates every event of a stream and shows its own complaint otherwise.
  const data = { type: 'error', sequence_number: 0, code, message, param: null, error: { type, code, message } };
  return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
}

const LF = 10;
const CR = 13;

/** Whether a frame may follow: a half frame and ours would read as one, and neither would be understood. */
export function atBoundary(kind: StreamKind, lastBytes: Uint8Array): boolean {
  const n = lastBytes.length;
  if (n === 0) return true;
  const last = lastBytes[n - 1];
  if (kind === 'ndjson') return last === LF;
  if (last === LF) return lastBytes[n - 2] === LF || (lastBytes[n - 2] === CR && lastBytes[n - 3] === LF);
  return last === CR && lastBytes[n - 2] === CR;
}
