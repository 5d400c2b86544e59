import type { Refusal } from '../../domain/refusal.ts';
import type { Dialect } from './dialect.ts';

/** The end of an event stream that was cut, in the form on which the clients of the API raise. */
export function errorEvents(dialect: Dialect, refusal: Refusal): string {
  if (dialect === 'gemini') return geminiError(refusal);
  const { type, message } = refusal;
  const code = refusal.code ?? type;
  // Both flat and nested: some clients look at the top level only, and others under `error` only. `sequence_number` is
  // for a client that validates every event, and would show a validation error instead of this one.
  const data = JSON.stringify({
    type: 'error',
    sequence_number: 0,
    code,
    message,
    param: null,
    error: { type, code, message },
  });
  const named = `event: error\ndata: ${data}\n\n`;
  // Together's client drops events with a name. The others raise on the first of the two and do not see the second,
  // except the AI SDK, which tells both.
  if (dialect === 'chunks') return `data: ${data}\n\n${named}`;
  // Cohere's client passes on an event that it does not know, and raises only on data that it cannot read.
  if (dialect === 'cohere') return `${named}event: error\ndata: ${message}\n\n`;
  return named;
}

/**
 * Google's own form of an error. Twice: the AI SDK reads only lines of data, and `@google/generative-ai` raises only if
 * the stream ends with something else. The older versions of `@google/genai` do as well.
 */
function geminiError({ type, status, message }: Refusal): string {
  const error = { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' };
  // `@google/generative-ai` tells the reason of a block only if the prompt is blamed for it.
  const blame =
    type === 'response_blocked' ? { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: message } } : {};
  return `data: ${JSON.stringify({ error, ...blame })}\n\n${JSON.stringify({ error })}`;
}

/** Google's names of HTTP statuses. A 502 has none of its own. */
const STATUS_NAMES: Readonly<Record<number, string>> = { 503: 'UNAVAILABLE', 504: 'DEADLINE_EXCEEDED' };
