import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The client's id when it is one that can stand in a log line and a header, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const SANE_ID = /^[\x21-\x7e]{1,128}$/;

/** The upstream's own id, when it is one that can stand in a log line. */
export function answerId(answer: IncomingMessage): string | null {
  const given = answer.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : null;
}

/** Read for the log; the header itself travels on like any other. */
export function traceId(request: IncomingMessage): string | null {
  const parent = request.headers.traceparent;
  if (typeof parent !== 'string') return null;
  const match = TRACE_PARENT.exec(parent);
  return match === null || /^0+$/.test(match[1]!) ? null : match[1]!;
}
