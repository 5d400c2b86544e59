import type { Category } from './verdict.ts';
import type { UnreadableReason } from './job.ts';

/** The errors that the proxy answers with itself. One table defines them all; docs/api.md describes it for callers. */

interface Kind {
  readonly status: number;
  readonly message: string;
  /** Whether an SDK should retry: `never` sends `x-should-retry: false`, `soon` sends `Retry-After: 1`. */
  readonly retry?: 'never' | 'soon';
  /** The connection cannot be reused: its framing or its unread body is in doubt. */
  readonly close?: true;
}

const KINDS = {
  // The policy's decision
  content_blocked: { status: 400, message: 'Request blocked', retry: 'never' },
  response_blocked: { status: 502, message: 'Response blocked: sensitive content detected', retry: 'never' },
  // Failures of our scanner
  scanner_error: { status: 503, message: 'Scanner unavailable', retry: 'soon' },
  scanner_timeout: { status: 503, message: 'Scanner timed out', retry: 'soon' },
  overloaded: { status: 503, message: 'Too much work in progress, try again shortly', retry: 'soon' },
  // POST /check
  invalid_json: { status: 400, message: 'Invalid JSON in request body' },
  invalid_request: { status: 400, message: 'Request body must be a JSON object' },
  // Authentication, limits and routing
  not_found: { status: 404, message: 'Unknown provider', retry: 'never' },
  method_not_allowed: { status: 405, message: 'Method not allowed' },
  unauthorized: { status: 401, message: 'A valid API key is required' },
  forbidden: { status: 403, message: 'This API key lacks the required scope' },
  rate_limited: { status: 429, message: 'Rate limit exceeded' },
  // Bodies that we do not read, which the sender chose
  payload_too_large: { status: 413, message: 'Request body is too large', retry: 'never', close: true },
  unsupported_encoding: { status: 415, message: 'Request body uses an unsupported encoding', retry: 'never' },
  unscannable_content: { status: 400, message: 'Request body cannot be scanned', retry: 'never' },
  // HTTP itself
  bad_request: { status: 400, message: 'Malformed HTTP request', retry: 'never', close: true },
  request_timeout: { status: 408, message: 'The request took too long to arrive', close: true },
  expectation_failed: { status: 417, message: 'Unsupported Expect header', retry: 'never' },
  upgrade_required: { status: 426, message: 'Protocol upgrades are not supported, use plain HTTP', retry: 'never' },
  headers_too_large: { status: 431, message: 'Request headers are too large or too many', retry: 'never', close: true },
  not_implemented: { status: 501, message: 'Unsupported transfer coding', retry: 'never', close: true },
  http_version_not_supported: { status: 505, message: 'Only HTTP/1.1 and HTTP/1.0 are supported', close: true },
  too_many_pipelined: { status: 429, message: 'Too many requests in flight on one connection', close: true },
  // The upstream
  upstream_unreachable: { status: 502, message: 'The upstream cannot be reached' },
  upstream_timeout: { status: 504, message: 'The upstream did not answer in time' },
  upstream_invalid: { status: 502, message: 'The upstream sent an invalid response' },
  upstream_closed: { status: 502, message: 'The upstream closed the connection before it answered' },
  response_too_large: { status: 502, message: 'The upstream response is too large to scan', retry: 'never' },
  // The proxy itself
  shutting_down: { status: 503, message: 'The service is shutting down', retry: 'soon', close: true },
  internal_error: { status: 500, message: 'Internal error' },
} satisfies Record<string, Kind>;

export type RefusalType = keyof typeof KINDS;

export interface Refusal {
  readonly type: RefusalType;
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly close: boolean;
}

/** Builds the refusal of a type. `change` overrides its message and adds a code or headers. */
export function refuse(
  type: RefusalType,
  change: { message?: string; code?: string; headers?: Readonly<Record<string, string>> } = {},
): Refusal {
  const kind: Kind = KINDS[type];
  const headers: Record<string, string> = { ...change.headers };
  if (kind.retry === 'never') headers['x-should-retry'] = 'false';
  if (kind.retry === 'soon') headers['Retry-After'] ??= '1';
  return {
    type,
    status: kind.status,
    message: change.message ?? kind.message,
    ...(change.code === undefined ? {} : { code: change.code }),
    headers,
    close: kind.close === true,
  };
}

export function contentBlocked(category: Category): Refusal {
  return refuse('content_blocked', {
    code: `${category}-detected`,
    message: `Request blocked: potential ${category.replaceAll('-', ' ')} detected`,
  });
}

export function responseBlocked(): Refusal {
  return refuse('response_blocked', { code: 'sensitive_data_detected' });
}

/** The name comes from the sender, so it is truncated. JSON escapes the rest. */
export function unknownProvider(name: string): Refusal {
  return refuse('not_found', { message: `Unknown provider: ${name.length > 64 ? `${name.slice(0, 64)}...` : name}` });
}

const UNREADABLE = {
  'content-encoding': refuse('unsupported_encoding', {
    message: 'Content-Encoding is not supported, send gzip, deflate, br or identity',
    headers: { 'Accept-Encoding': 'gzip, deflate, br, identity' },
  }),
  charset: refuse('unsupported_encoding', { message: 'The charset of the request body is not supported, send UTF-8' }),
  'corrupt-encoding': refuse('unscannable_content', { message: 'Request body does not match its Content-Encoding' }),
  'decompression-bomb': refuse('payload_too_large', { message: 'Request body is too large when decompressed' }),
  'invalid-text': refuse('unscannable_content', { message: 'Request body is not valid text in its charset' }),
  'too-many-parts': refuse('unscannable_content', { message: 'Request body has too many parts' }),
  'too-many-strings': refuse('unscannable_content', { message: 'Request body has too many strings' }),
  'malformed-multipart': refuse('unscannable_content', { message: 'Request body is not valid multipart data' }),
  'scan-budget': refuse('unscannable_content', { message: 'Request body takes longer to scan than its size allows' }),
  'decode-budget': refuse('unscannable_content', {
    message: 'Request body hides more encoded text than can be scanned',
  }),
  'scan-memory': refuse('unscannable_content', { message: 'Request body takes more memory to scan than there is' }),
  'scanner-crash': refuse('unscannable_content', { message: 'Request body takes more memory to scan than there is' }),
} satisfies Record<UnreadableReason, Refusal>;

export function unreadableRequest(reason: UnreadableReason): Refusal {
  return UNREADABLE[reason];
}

/**
 * Nobody can scan such an answer, however often it is asked and paid for. `upstream_invalid` is otherwise worth a second
 * attempt, so these say that they are not.
 */
const UNREADABLE_RESPONSE = {
  'content-encoding': unscannedResponse('upstream_invalid', 'its Content-Encoding is not supported'),
  charset: unscannedResponse('upstream_invalid', 'its charset is not supported'),
  'corrupt-encoding': unscannedResponse('upstream_invalid', 'it does not match its Content-Encoding'),
  'decompression-bomb': unscannedResponse('response_too_large', 'it is too large when decompressed'),
  'invalid-text': unscannedResponse('upstream_invalid', 'it is not valid text in its charset'),
  'too-many-parts': unscannedResponse('response_too_large', 'it has too many parts'),
  'too-many-strings': unscannedResponse('response_too_large', 'it has too many strings'),
  'malformed-multipart': unscannedResponse('upstream_invalid', 'it is not valid multipart data'),
  'scan-budget': unscannedResponse('response_too_large', 'it takes longer to scan than its size allows'),
  'decode-budget': unscannedResponse('response_too_large', 'it hides more encoded text than can be scanned'),
  'scan-memory': unscannedResponse('response_too_large', 'it takes more memory to scan than there is'),
  'scanner-crash': unscannedResponse('response_too_large', 'it takes more memory to scan than there is'),
} satisfies Record<UnreadableReason, Refusal>;

function unscannedResponse(type: 'upstream_invalid' | 'response_too_large', why: string): Refusal {
  const message = `The upstream response could not be scanned: ${why}`;
  return refuse(type, { message, headers: { 'x-should-retry': 'false' } });
}

export function unreadableResponse(reason: UnreadableReason): Refusal {
  return UNREADABLE_RESPONSE[reason];
}

/** The JSON error envelope. It has a `code` only where the refusal has one. */
export function envelope(refusal: Refusal): string {
  const { type, code, message } = refusal;
  return JSON.stringify({ error: code === undefined ? { type, message } : { type, code, message } });
}

/**
 * The refusal's message as an HTTP reason phrase, which some SDKs show instead of the body. Printable ASCII only:
 * other characters would let a sender write into our status line.
 */
export function reasonPhrase(refusal: Refusal): string {
  return refusal.message.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}
