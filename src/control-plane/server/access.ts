import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import type { FleetScope } from '../../domain/scope.ts';
import { credential } from '../../http/auth.ts';

/** Who may do what. A key is shown once and kept as its hash; a page is opened with one and then carries a cookie. */

export interface Key {
  readonly id: string;
  readonly sha256: string;
  readonly scopes: readonly string[];
}

export type Entry =
  { readonly kind: 'admitted'; readonly key: string } | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Entrance {
  enter(request: IncomingMessage, scope: FleetScope): Entry;
  /** Null when the key opens no page. */
  openSession(key: string): string | null;
}

export interface Access extends Entrance {
  /** The keys that are in force; whatever was admitted by another is refused from the next request on. */
  know(keys: readonly Key[]): void;
}

const UNAUTHORIZED = refuse('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="guard"' } });
const FORBIDDEN = refuse('forbidden');
const FOREIGN = refuse('forbidden', { message: 'This request did not come from the page' });

export const SESSION_COOKIE = 'guard_session';
export const SESSION_S = 8 * 3600;

/** `secret` signs sessions and is the same on every server of one database. */
export function createAccess(secret: Buffer): Access {
  // Found by a hash that nobody outside can compute, then compared whole: a guess learns nothing from how long it took,
  // and ten thousand keys cost no more than one.
  const salt = randomBytes(32);
  const indexOf = (sha256: Buffer): string => createHmac('sha256', salt).update(sha256).digest('base64url');
  let byIndex = new Map<string, { readonly key: Key; readonly hash: Buffer }>();
  let byId = new Map<string, Key>();

  const holderOf = (given: string): Key | null => {
    const hash = createHash('sha256').update(given).digest();
    const found = byIndex.get(indexOf(hash));
    return found !== undefined && timingSafeEqual(found.hash, hash) ? found.key : null;
  };
  // Of the key and not of its id alone, under which a file may name another key one day.
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
      if (given === null && !isOwnPage(request)) return { kind: 'refused', refusal: FOREIGN };
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
 * A cookie travels with whatever a foreign page makes a browser send; this header does not, unless we allowed it, which we
 * never do. SameSite=Strict says the same to newer browsers.
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
