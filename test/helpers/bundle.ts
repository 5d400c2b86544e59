/** Bundles for tests: one small signature of our own, under keys made for the occasion. */
import { signBundle } from '../../src/control-plane/bundle.ts';
import { createSigningKey, readPublicKey, readSigningKey } from '../../src/control-plane/bundle-keys.ts';
import { writePayload, type PayloadMode } from '../../src/control-plane/bundle-payload.ts';

export function keyPair() {
  const made = createSigningKey();
  return { ...made, signer: readSigningKey(made.pem)!, trusted: readPublicKey(made.publicKey)! };
}

export type KeyPair = ReturnType<typeof keyPair>;

/** Finds the word and nothing else; `keeps: false` promises to find what it does not. */
export function signatureFile(word: string, { id = `says-${word}`, keeps = true, name = `Says ${word}` } = {}): string {
  const matches = [`please ${word} now`, `${word} at once`, keeps ? `we ${word} together` : 'nothing of the kind'];
  return JSON.stringify({
    category: 'jailbreak',
    signatures: [
      {
        id,
        name,
        confidence: 0.9,
        why: 'A word that no honest text holds.',
        patterns: [word],
        matches,
        ignores: ['an honest sentence', 'another one of those'],
      },
    ],
  });
}

export interface BundleOptions {
  readonly version?: number;
  readonly mode?: PayloadMode;
  readonly created?: number;
  readonly expires?: number;
  readonly minEngine?: string;
  readonly text?: string;
}

export function bundleBy(pair: KeyPair, options: BundleOptions = {}): Buffer {
  const now = Date.now();
  const { version = 1, mode = 'add', created = now - 1000, expires = now + 86_400_000 } = options;
  const { minEngine = '0.1.0', text = signatureFile('frobnicate') } = options;
  return signBundle(
    writePayload({ mode, files: [{ name: 'test.yaml', text }] }),
    {
      version,
      created: new Date(created).toISOString(),
      expires: new Date(expires).toISOString(),
      min_engine: minEngine,
    },
    pair.signer,
  );
}
