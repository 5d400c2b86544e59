import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refuse, type Refusal } from '../domain/refusal.ts';

/** API keys for guard's own endpoints. Only their SHA-256 hashes are stored, and they are compared in constant time. */

export interface Key {
  readonly id: string;
  readonly sha256: string;
  readonly scopes: readonly string[];
}

export type Admission =
  { readonly kind: 'admitted'; readonly key: string | null } | { readonly kind: 'refused'; readonly refusal: Refusal };

export type Authorize = (request: IncomingMessage, scope: string) => Admission;

export const UNAUTHORIZED = refuse('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer realm="guard"' } });
export const FORBIDDEN = refuse('forbidden');

export function createAuthorize(keys: readonly Key[]): Authorize {
  const known = keys.map((key) => ({ ...key, hash: Buffer.from(key.sha256, 'hex') }));
  return (request, scope) => {
    // POST /check requires a key as soon as any key is configured. /metrics requires one only if a key with its scope
    // is configured, so that existing scrapers keep working when a key for /check is added.
    const asks = scope === 'check' ? known.length > 0 : known.some((key) => key.scopes.includes(scope));
    if (!asks) return { kind: 'admitted', key: null };
    const given = credential(request);
    if (given === null) return { kind: 'refused', refusal: UNAUTHORIZED };
    const hash = createHash('sha256').update(given).digest();
    let match: Key | null = null;
    // Compare with all keys, always. Stopping at the match would reveal by timing where in the list the key is.
    for (const key of known) if (timingSafeEqual(key.hash, hash)) match = key;
    if (match === null) return { kind: 'refused', refusal: UNAUTHORIZED };
    return match.scopes.includes(scope) ? { kind: 'admitted', key: match.id } : { kind: 'refused', refusal: FORBIDDEN };
  };
}

export function credential(request: IncomingMessage): string | null {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}
