import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The client's X-Request-ID if it is safe to use in a log line and a header, otherwise a new random one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** With spaces: a proxy on the way that adds an id of its own makes one line of two, `a, b`. */
const PRINTABLE = /^[\x20-\x7e]{1,256}$/;

/** The upstream's X-Request-ID, which the client is sent in any case, if it is safe to use in a log line, otherwise null. */
export function answerId(answer: IncomingMessage): string | null {
  const given = answer.headers['x-request-id'];
  return typeof given === 'string' && PRINTABLE.test(given) ? given : null;
}

/** The trace id of a W3C `traceparent` header, for the log. The header itself is forwarded like any other. */
export function traceId(request: IncomingMessage): string | null {
  const parent = request.headers.traceparent;
  if (typeof parent !== 'string') return null;
  const match = TRACE_PARENT.exec(parent);
  return match === null || /^0+$/.test(match[1]!) ? null : match[1]!;
}
