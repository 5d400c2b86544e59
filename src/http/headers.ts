import type { Bytes } from '../domain/bytes.ts';

/** Which headers are forwarded, in both directions: all except hop-by-hop headers and those that guard sets itself. */

/** Hop-by-hop headers (RFC 9110, 7.6.1), and `http2-settings`, which belongs to an upgrade that is never forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

const OURS = ['x-guard-scanned'];

/**
 * Not forwarded to the upstream: `host` and the framing headers, which guard sets itself, headers that would make the
 * upstream execute another HTTP method, and a coding or type in a spelling by which the body was not scanned.
 */
const REQUEST_DROPPED = new Set([
  ...HOP_BY_HOP,
  ...OURS,
  'host',
  'content-length',
  'content_encoding',
  'content_type',
  'expect',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

const RESPONSE_DROPPED = new Set([...HOP_BY_HOP, ...OURS]);

/**
 * Headers that are forwarded even when the Connection header names them: `Connection: authorization` must not strip a
 * credential, nor `Connection: content-length` the framing.
 */
const NEVER_NAMED = new Set([
  'accept',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'set-cookie',
  'x-api-key',
  'x-request-id',
]);

/** Cache of lower-cased header names: there are few different ones, and they repeat on every request. */
const lowered = new Map<string, string>();

function lowerName(name: string): string {
  const known = lowered.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowered.size < 2000 && name.length <= 64) lowered.set(name, lower);
  return lower;
}

function namedByConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined) return null;
  if (connection === 'keep-alive' || connection === 'close') return null;
  const names = connection
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && !NEVER_NAMED.has(name));
  return names.length === 0 ? null : new Set(names);
}

/**
 * The headers for the upstream, as a flat list of alternating names and values. Node writes such a list unchanged, so
 * the client's spelling, order and repetitions are preserved. An object was rejected: it joins repeated headers, and
 * Node takes twice as long to process it.
 */
export function requestHeaders(host: string, raw: readonly string[], connection: string | undefined): string[] {
  return forwarded(['Host', host], raw, REQUEST_DROPPED, connection);
}

/** Adds the headers to the list, except those that are always dropped and those that the Connection header names. */
function forwarded(
  headers: string[],
  raw: readonly string[],
  dropped: ReadonlySet<string>,
  connection: string | undefined,
): string[] {
  const named = namedByConnection(connection);
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = lowerName(name);
    if (isDropped(lower, dropped) || (named !== null && named.has(lower))) continue;
    headers.push(name, raw[i + 1]!);
  }
  return headers;
}

/** CGI, WSGI, Rack and PHP read `Content_Length` as `Content-Length`, so both spellings are dropped. */
function isDropped(lower: string, dropped: ReadonlySet<string>): boolean {
  return dropped.has(lower) || (lower.includes('_') && dropped.has(lower.replaceAll('_', '-')));
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Adds the Content-Length header. Without it Node would use chunked encoding, even for a POST without a body. */
export function frame(headers: string[], method: string, body: Bytes | null): void {
  if (body !== null) headers.push('Content-Length', String(body.length));
  else if (!WITHOUT_BODY.has(method)) headers.push('Content-Length', '0');
}

/**
 * Asks for an answer that can be scanned: not compressed, because a compressed stream cannot be scanned frame by frame,
 * and not in ranges, because no range shows what goes on in the next.
 */
export function askForScannable(headers: readonly string[]): string[] {
  const plain: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    if (!UNSCANNABLE.has(lowerName(headers[i]!))) plain.push(headers[i]!, headers[i + 1]!);
  }
  plain.push('Accept-Encoding', 'identity');
  return plain;
}

const UNSCANNABLE = new Set(['accept-encoding', 'range', 'if-range']);

/** The headers for the client, as `requestHeaders` does it for the upstream. */
export function responseHeaders(raw: readonly string[], connection: string | undefined): string[] {
  return forwarded([], raw, RESPONSE_DROPPED, connection);
}
