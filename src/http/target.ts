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
