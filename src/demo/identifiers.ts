/**
 * Ids in the format of each provider, derived from a digest of the request.
 *
 * They are deterministic: the same request gets exactly the same answer, so answers through the proxy and direct
 * answers can be compared byte for byte. Random ids would have to be masked first, and masking can hide differences.
 */
import { createHash } from 'node:crypto';

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export interface Identifiers {
  hex(prefix: string, length: number, salt?: string): string;
  letters(prefix: string, length: number, salt?: string): string;
}

export function identifiersOf(method: string, path: string, body: Buffer): Identifiers {
  const seed = createHash('sha256').update(method).update('\0').update(path).update('\0').update(body).digest();
  const digest = (prefix: string, salt: string) =>
    createHash('sha512').update(seed).update(prefix).update(salt).digest();
  return {
    hex: (prefix, length, salt = '') => prefix + digest(prefix, salt).toString('hex').slice(0, length),
    letters: (prefix, length, salt = '') =>
      prefix + Array.from(digest(prefix, salt).subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join(''),
  };
}
