import * as z from 'zod';
import { NAME, NAME_RULE } from '../domain/name.ts';
import type { Complaint } from './complaint.ts';
import { kinds, textThat } from './kinds.ts';

/** Keys for the endpoints of guard itself: how one is written in a configuration, and which lists of them are sound. */

/** `printer` is the command that prints the hash of a key. */
export function accessKey<Scope extends string>(scopes: readonly Scope[], meaning: string, printer: string) {
  return z.strictObject({
    id: textThat((value) => NAME.test(value), NAME_RULE).describe('A name for logs.'),
    sha256: textThat(
      (value) => /^[0-9a-fA-F]{64}$/.test(value),
      `the SHA-256 of the key in 64 hexadecimal digits; ${printer} prints it`,
    )
      .register(kinds, { expects: 'a SHA-256 in 64 hexadecimal digits', secret: 'whole' })
      .describe(`SHA-256 of the key, as ${printer} prints it. The key itself is never kept.`),
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).describe(meaning),
  });
}

/** Reports keys that share an id or a hash: sessions, revocation and usage go by the id. */
export function clashesOf(keys: readonly { readonly id: string; readonly sha256: string }[]): readonly Complaint[] {
  const ids = new Set<string>();
  const hashes = new Set<string>();
  return keys.flatMap(({ id, sha256 }, index) => {
    const found: Complaint[] = [];
    const hash = sha256.toLowerCase();
    if (ids.has(id)) found.push({ path: [index, 'id'], message: 'another key has this id' });
    if (hashes.has(hash))
      found.push({ path: [index, 'sha256'], message: 'this key is already listed; give one entry all its scopes' });
    ids.add(id);
    hashes.add(hash);
    return found;
  });
}
