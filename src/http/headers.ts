/** End-to-end headers: everything goes through, both ways, except what belongs to one connection or to us. */

/** RFC 9110, 7.6.1, and what rides with an upgrade that we never forward. */
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

/** Replaced by us on the way up: the authority, the framing; and what would make the upstream run another method. */
const REQUEST_DROPPED = new Set([
  ...HOP_BY_HOP,
  ...OURS,
  'host',
  'content-length',
  'expect',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

const RESPONSE_DROPPED = new Set([...HOP_BY_HOP, ...OURS]);

/** `Connection: authorization` must not strip a credential, nor `Connection: content-length` the framing. */
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

/** Names are few and repeat on every request: the map saves lower-casing each of them each time. */
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
 * A flat list of names and values, which Node writes as it stands: spelling, order and repetition of the client survive.
 * An object of them was refused: it joins what was apart, and costs twice as much on its way through Node.
 */
export function requestHeaders(host: string, raw: readonly string[], connection: string | undefined): string[] {
  const named = namedByConnection(connection);
  const headers = ['Host', host];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = lowerName(name);
    if (REQUEST_DROPPED.has(lower) || (named !== null && named.has(lower))) continue;
    headers.push(name, raw[i + 1]!);
  }
  return headers;
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Left to itself, Node would frame in chunks what has no length, also a POST without a body. */
export function frame(headers: string[], method: string, body: Uint8Array | null): void {
  if (body !== null) headers.push('Content-Length', String(body.length));
  else if (!WITHOUT_BODY.has(method)) headers.push('Content-Length', '0');
}

/** A stream that is compressed cannot be judged frame by frame; what it says is the same without. */
export function askForPlain(headers: readonly string[]): string[] {
  const plain: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    if (lowerName(headers[i]!) !== 'accept-encoding') plain.push(headers[i]!, headers[i + 1]!);
  }
  plain.push('Accept-Encoding', 'identity');
  return plain;
}

/** The same, the other way. */
export function responseHeaders(raw: readonly string[], connection: string | undefined): string[] {
  const named = namedByConnection(connection);
  const headers: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = lowerName(name);
    if (RESPONSE_DROPPED.has(lower) || (named !== null && named.has(lower))) continue;
    headers.push(name, raw[i + 1]!);
  }
  return headers;
}
