import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import type { FleetScope } from '../../domain/scope.ts';
import { credential, FORBIDDEN, UNAUTHORIZED, type Key } from '../../http/auth.ts';

/**
 * Authentication and scopes. A key is shown once and stored as its hash. The console is opened with a key and then
 * uses a session cookie.
 */

export type Entry =
  { readonly kind: 'admitted'; readonly key: string } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Entrance {
  enter(request: IncomingMessage, scope: FleetScope): Entry;
  /** Returns the session cookie's value, or null when the key may not open the console. */
  openSession(key: string): string | null;
  /** Whether a key is asked for at all. Without one there is nothing to log out of. */
  keyed(): boolean;
}

export interface Access extends Entrance {
  /** Sets the valid keys. Requests with any other key are refused from now on. */
  know(keys: readonly Key[]): void;
}

export const NOT_FROM_THE_PAGE = refuse('forbidden', { message: 'This request did not come from the page' });

export const SESSION_COOKIE = 'guard_session';
export const SESSION_S = 8 * 3600;

/** `secret` signs sessions. It is the same on all servers that share a database. */
export function createAccess(secret: Buffer): Access {
  // Keys are looked up by a salted HMAC that nobody outside can compute, and then compared in constant time. So
  // response times reveal nothing about a guess, and a lookup among ten thousand keys costs no more than one among
  // few.
  const salt = randomBytes(32);
  const indexOf = (sha256: Buffer): string => createHmac('sha256', salt).update(sha256).digest('base64url');
  let byIndex = new Map<string, { readonly key: Key; readonly hash: Buffer }>();
  let byId = new Map<string, Key>();

  const holderOf = (given: string): Key | null => {
    const hash = createHash('sha256').update(given).digest();
    const found = byIndex.get(indexOf(hash));
    return found !== undefined && timingSafeEqual(found.hash, hash) ? found.key : null;
  };
  // The MAC covers the hash of the key and not only its id, because a configuration file may later give the same id
  // to another key.
  const seal = ({ id, sha256 }: Key, until: string): Buffer =>
    createHmac('sha256', secret).update(`${id}\n${until}\n${sha256}`).digest();

  function ofSession(request: IncomingMessage): Key | null {
    const [id, until, mac] = cookieOf(request)?.split('~') ?? [];
    if (id === undefined || until === undefined || mac === undefined) return null;
    const key = byId.get(id);
    if (key === undefined) return null;
    const given = Buffer.from(mac, 'base64url');
    const due = seal(key, until);
    if (given.length !== due.length || !timingSafeEqual(given, due)) return null;
    return Number(until) > Date.now() ? key : null;
  }

  return {
    keyed: () => true,
    know(keys) {
      byIndex = new Map(
        keys.map((key) => {
          const hash = Buffer.from(key.sha256, 'hex');
          return [indexOf(hash), { key, hash }];
        }),
      );
      byId = new Map(keys.map((key) => [key.id, key]));
    },
    enter(request, scope) {
      const given = credential(request);
      const key = given === null ? ofSession(request) : holderOf(given);
      if (key === null) return { kind: 'refused', refusal: UNAUTHORIZED };
      if (given === null && !isOwnPage(request)) return { kind: 'refused', refusal: NOT_FROM_THE_PAGE };
      if (!key.scopes.includes(scope)) return { kind: 'refused', refusal: FORBIDDEN };
      return { kind: 'admitted', key: key.id };
    },
    openSession(given) {
      const key = holderOf(given);
      if (key === null || !key.scopes.includes('admin')) return null;
      const until = String(Date.now() + SESSION_S * 1000);
      return `${key.id}~${until}~${seal(key, until).toString('base64url')}`;
    },
  };
}

/**
 * Protection against CSRF. Browsers add the cookie to requests that a foreign page makes, but they do not let such a
 * page add this header unless we allow it by CORS, which we never do. SameSite=Strict gives the same protection in
 * newer browsers.
 */
function isOwnPage({ method, headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return method === 'GET' || headers['x-guard-console'] === '1';
}

function cookieOf(request: IncomingMessage): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === SESSION_COOKIE) return part.slice(at + 1).trim();
  }
  return null;
}
