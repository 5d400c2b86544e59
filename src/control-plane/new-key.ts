import { createHash, randomBytes } from 'node:crypto';

/** A new API key of 256 random bits. With so much entropy, a plain hash protects it as well as a slow one would. */
export function createKey(): { readonly key: string; readonly sha256: string } {
  const key = `guard_${randomBytes(32).toString('base64url')}`;
  return { key, sha256: createHash('sha256').update(key).digest('hex') };
}
