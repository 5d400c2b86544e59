import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { PUBLIC_KEY } from '../domain/public-key.ts';

/** Keys that sign bundles. The public half is one short line, so that a trust list can be read and compared by eye. */

export interface TrustedKey {
  readonly id: string;
  readonly key: KeyObject;
}

export interface SigningKey {
  readonly id: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

/** Null when the text is no public key. Base64url, because the other alphabet has a slash, which a shell or a path may eat. */
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

/** PKCS 8 in PEM, so that any tool can make and hold one. Null when it is not an ed25519 private key. */
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

/** Of the key itself and not chosen by anybody, so that two keys cannot claim one id. */
function idOf(x: string): string {
  return createHash('sha256').update(Buffer.from(x, 'base64url')).digest('hex').slice(0, 16);
}
