import type { IncomingMessage } from 'node:http';
import { MOST_ESCAPED, unescapedOnce } from '../domain/plain-path.ts';

/**
 * The request target, parsed once, so that routing, scanning and forwarding all use the same string.
 * `/llm-a/v1/models?limit=5` has the name `llm-a`, the rest `/v1/models` and the query `?limit=5`.
 */
export interface Target {
  /** Without the query, as the client sent it. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  /** The first path segment: the name of an upstream, or of one of guard's own routes. */
  readonly name: string;
  /** Everything after the first segment, byte for byte: empty, or starting with a slash. */
  readonly rest: string;
}

/**
 * Characters that a target must not contain. Control characters, spaces and non-ASCII characters are invalid in a
 * target. Some parsers turn a backslash into a slash, or cut the path at a raw `#`: the upstream would then serve
 * another path than the one that was routed here.
 */
const FORBIDDEN = /[^\x21-\x7e]|[\\#]/;
const ABSOLUTE = /^https?:\/\/[A-Za-z0-9._~%:[\]-]+(?=[/?]|$)/i;
const SEPARATOR = /[/\\]/;

export function parseTarget(url: string | undefined): Target | null {
  if (url === undefined || FORBIDDEN.test(url)) return null;
  // Every server must accept the absolute form, `GET http://host/path` (RFC 9112, 3.2.2). Its host is ignored.
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

/**
 * Whether the path contains `..` in any spelling that an upstream, or a gateway in front of it, may decode: `%2e%2e`,
 * `%252e%252e`, `.%2E`, `..%2f`, and `..;x`, from which some servers strip the part after the semicolon. Also true for
 * an escaped NUL (`%00`).
 */
function climbs(path: string): boolean {
  if (!path.includes('..') && !path.includes('%')) return false;
  let decoded = path;
  for (let level = 0; ; level += 1) {
    if (decoded.includes('%00') || decoded.split(SEPARATOR).some(isUp)) return true;
    if (level === MOST_ESCAPED || !decoded.includes('%')) return false;
    decoded = unescapedOnce(decoded);
  }
}

function isUp(segment: string): boolean {
  return segment === '..' || segment.startsWith('..;');
}

/** Headers that may occur only once. With two of them, two parsers may understand the request differently. */
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

/**
 * Rejects request heads that Node's parser accepts, but that other parsers may read differently. Null when all is fine.
 */
export function headFault(request: IncomingMessage): HeadFault | null {
  const raw = request.rawHeaders;
  if (request.httpVersionMajor !== 1) return 'version';
  if (raw.length > MAX_HEADERS * 2) return 'header-count';
  const headers = request.headers;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    // Node decodes only `chunked`. With `gzip, chunked` the body would be compressed without any header that says so.
    if (coding.toLowerCase() !== 'chunked') return 'transfer-encoding';
    if (request.httpVersionMinor === 0 || headers['content-length'] !== undefined) return 'framing';
  }
  if (request.httpVersionMinor === 1 && headers.host === undefined) return 'host';
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    // In a header object a property of this name would be lost, or would set the prototype.
    if (name === '__proto__') return 'header-name';
    const bit = singleBit(name);
    if (bit === 0) continue;
    if ((seen & bit) !== 0) return 'duplicate';
    seen |= bit;
  }
  return null;
}

/** Returns a function that gives each of these headers a bit of its own, and 0 to any other. */
export function bitsOf(names: ReadonlySet<string>): (name: string) => number {
  const bits = new Map([...names].map((name, index) => [name, 1 << index]));
  // The lengths of the names, one bit each, so that most headers need no lookup. The shift counts modulo 32: a longer
  // name shares its bit with a shorter one, and is looked up.
  let lengths = 0;
  for (const { length } of names) lengths |= 1 << length;
  return (name) => {
    if ((lengths & (1 << name.length)) === 0) return 0;
    return bits.get(name) ?? bits.get(name.toLowerCase()) ?? 0;
  };
}

const singleBit = bitsOf(SINGLE);
