import type { IncomingMessage } from 'node:http';

/** The request target, decided once: what is routed, scanned and sent is one and the same string. */
export interface Target {
  /** Without the query, as the client sent it. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** The first path segment: the name of an upstream, or of a route of ours. */
  readonly name: string;
  /** What follows the first segment, byte for byte: empty, or starting with a slash. */
  readonly rest: string;
}

/**
 * Controls, space and non-ASCII never stand in a valid target; a backslash becomes a slash, and a raw `#` cuts the path,
 * in some upstream's parser: the path we routed would not be the path it serves.
 */
const FORBIDDEN = /[^\x21-\x7e]|[\\#]/;
const ABSOLUTE = /^https?:\/\/[A-Za-z0-9._~%:[\]-]+(?=[/?]|$)/i;
const DOT = /%2e/gi;
const SEPARATOR = /\/|%2f|%5c/gi;

export function parseTarget(url: string | undefined): Target | null {
  if (url === undefined || FORBIDDEN.test(url)) return null;
  // Absolute form: every server must accept it (RFC 9112, 3.2.2); the authority is ours whatever it says.
  const target = url.startsWith('/') ? url : url.replace(ABSOLUTE, '');
  if (target === url && !url.startsWith('/')) return null;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark);
  if (climbs(path)) return null;
  const end = path.indexOf('/', 1);
  return {
    path: path === '' ? '/' : path,
    query,
    name: end === -1 ? path.slice(1) : path.slice(1, end),
    rest: end === -1 ? '' : path.slice(end),
  };
}

/** `..` in any spelling an upstream may undo: `%2e%2e`, `.%2E`, `..%2f`, and `..;x`, which some strip. Also an escaped NUL. */
function climbs(path: string): boolean {
  if (!path.includes('..') && !path.includes('%')) return false;
  if (path.includes('%00')) return true;
  return path
    .replace(DOT, '.')
    .split(SEPARATOR)
    .some((segment) => segment === '..' || segment.startsWith('..;'));
}

/** Only the names of headers that carry one value: two of them mean that two parsers may disagree about the request. */
const SINGLE = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'authorization',
  'x-api-key',
]);

const MAX_HEADERS = 100;

export type HeadFault =
  'version' | 'host' | 'duplicate' | 'header-name' | 'header-count' | 'transfer-encoding' | 'framing';

/** What Node's parser lets through and we do not. Null when the head is sound. */
export function headFault(request: IncomingMessage): HeadFault | null {
  const raw = request.rawHeaders;
  if (request.httpVersionMajor !== 1) return 'version';
  if (raw.length > MAX_HEADERS * 2) return 'header-count';
  const headers = request.headers;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    // Node decodes `chunked` alone; with `gzip, chunked` it would hand us compressed bytes under no label.
    if (coding.toLowerCase() !== 'chunked') return 'transfer-encoding';
    if (request.httpVersionMinor === 0 || headers['content-length'] !== undefined) return 'framing';
  }
  if (request.httpVersionMinor === 1 && headers.host === undefined) return 'host';
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    const bit = singleBit(name);
    if (bit === 0) continue;
    if (bit === -1) return 'header-name';
    if ((seen & bit) !== 0) return 'duplicate';
    seen |= bit;
  }
  return null;
}

const BITS = new Map([...SINGLE].map((name, index) => [name, 1 << index]));

function singleBit(name: string): number {
  // An own property of this name would be lost, or become a prototype, in every header object on the way.
  if (name === '__proto__') return -1;
  const length = name.length;
  if (length !== 4 && length !== 9 && (length < 12 || length > 17)) return 0;
  return BITS.get(name) ?? BITS.get(name.toLowerCase()) ?? 0;
}
