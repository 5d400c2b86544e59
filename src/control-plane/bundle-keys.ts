import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { PUBLIC_KEY } from '../domain/public-key.ts';

/** Keys that sign bundles. A public key is one short line, so that people can read and compare a trust list. */

export interface TrustedKey {
  readonly id: string;
  readonly key: KeyObject;
}

export interface SigningKey {
  readonly id: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

/**
 * Returns null when the text is not a public key. It is base64url because plain base64 contains slashes, which are
 * special in shells and paths.
 */
export function readPublicKey(text: string): TrustedKey | null {
  const x = PUBLIC_KEY.exec(text.trim())?.[1];
  if (x === undefined) return null;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return { id: idOf(x), key };
  } catch {
    return null;
  }
}

/**
 * Reads PKCS #8 in PEM, which common tools can create and store. Returns null when it is not an ed25519 private key.
 */
export function readSigningKey(pem: string): SigningKey | null {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') return null;
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    return x === undefined ? null : { id: idOf(x), publicKey: `ed25519:${x}`, key };
  } catch {
    return null;
  }
}

export function createSigningKey(): { readonly pem: string; readonly publicKey: string; readonly id: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { publicKey, id } = readSigningKey(pem)!;
  return { pem, publicKey, id };
}

/** The id is derived from the key and not chosen, so that two keys cannot claim the same id. */
function idOf(x: string): string {
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 16);
}
