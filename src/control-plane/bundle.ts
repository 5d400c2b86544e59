import { createHash, sign, verify } from 'node:crypto';
import type { SigningKey, TrustedKey } from './bundle-keys.ts';
import { readPayload, type Payload } from './bundle-payload.ts';

/**
 * A signed set of signatures. The file has three lines of text, which are a magic line, a JSON manifest and a
 * base64url signature, and then the payload. The signature covers the exact bytes of the first two lines, and the
 * manifest holds the hash of the payload. So nothing unsigned is parsed, and nothing is re-serialized for
 * verification. A JSON envelope was rejected, because two parsers may read it differently.
 */

export interface Manifest {
  /** Increases with each bundle. */
  readonly version: number;
  readonly created: string;
  /**
   * After this moment the bundle is no longer accepted. So an attacker who withholds newer bundles cannot do so
   * forever.
   */
  readonly expires: string;
  readonly sha256: string;
  readonly size: number;
  readonly key_id: string;
  /** The oldest version of guard that can read it. */
  readonly min_engine: string;
}

export interface Bundle {
  readonly manifest: Manifest;
  /** The hash of the whole file, which identifies the bundle. */
  readonly digest: string;
  readonly bytes: Buffer;
  readonly payload: Payload;
}

/** Why a bundle is refused. The texts appear in logs; the names are used in a metric and in reports of an instance. */
export const BUNDLE_FAULTS = {
  oversize: 'is larger than a bundle may be',
  malformed: 'is not a bundle',
  'no-trust': 'cannot be verified: no public key is configured',
  'bad-signature': 'is signed by none of the trusted keys, or was changed after it was signed',
  tampered: 'holds other bytes than those that were signed',
  expired: 'has expired',
  'not-yet': 'was made in the future: a clock is wrong, here or there',
  engine: 'needs a newer guard',
  rollback: 'is older than the one that was in force before this one',
  conflict: 'has the version of the one in force and other bytes',
  unreadable: 'holds a payload that cannot be read',
  unproven: 'holds signatures that do not keep what their examples promise',
  unfit: 'does not go together with what this instance has of its own',
} as const satisfies Record<string, string>;

export type BundleFault = keyof typeof BUNDLE_FAULTS;

/**
 * The faults that lie in the bundle: its author's bytes arrived, and say nothing that can be used. All others lie in an
 * instance, in its clock or on the way to it, and say nothing about how the bundle does elsewhere.
 */
export const FAULTS_OF_THE_BUNDLE: readonly BundleFault[] = ['unreadable', 'unproven'];

/**
 * What a bundle is checked against: the trusted keys, the clock, this version of guard, and the bundles taken before.
 * The floor is the version that was in force before the present one. So a harmful bundle can be withdrawn without its
 * author, but an attacker who can withdraw bundles can go back by one step only.
 */
export interface BundleTerms {
  readonly trusted: readonly TrustedKey[];
  /** Null for a bundle that was valid when it was taken and is only read again. */
  readonly now: number | null;
  readonly engine: string;
  readonly floor: number;
  readonly held: { readonly version: number; readonly digest: string } | null;
}

export type Opened =
  | { readonly kind: 'opened'; readonly bundle: Bundle }
  /** The manifest if its signature was valid, else null. */
  | { readonly kind: 'refused'; readonly fault: BundleFault; readonly manifest: Manifest | null };

export const MAX_BUNDLE_BYTES = 4_194_304;
const MAX_MANIFEST_BYTES = 2048;
const MAGIC = 'guard-bundle 1\n';
const CLOCK_SKEW_MS = 300_000;
const VERSION_TEXT = /^\d{1,6}(?:\.\d{1,6}){0,3}$/;

/** Builds the bytes of a signed bundle. */
export function signBundle(
  payload: Buffer,
  about: Pick<Manifest, 'version' | 'created' | 'expires' | 'min_engine'>,
  signer: SigningKey,
): Buffer {
  const manifest: Manifest = { ...about, sha256: sha256(payload), size: payload.length, key_id: signer.id };
  const signed = Buffer.from(`${MAGIC}${JSON.stringify(manifest)}\n`);
  const signature = sign(null, signed, signer.key).toString('base64url');
  return Buffer.concat([signed, Buffer.from(`${signature}\n`), payload]);
}

/** Verifies a bundle. Cheap checks come first, and no content is parsed before the signature is verified. */
export function openBundle(bytes: Buffer, terms: BundleTerms): Opened {
  if (bytes.length > MAX_BUNDLE_BYTES) return refused('oversize');
  const parts = split(bytes);
  if (parts === null) return refused('malformed');
  if (terms.trusted.length === 0) return refused('no-trust');
  // Every key is tried: the key id in the manifest is only a claim until a key has verified it.
  const signer = terms.trusted.find(({ key }) => verify(null, parts.signed, key, parts.signature));
  if (signer === undefined) return refused('bad-signature');
  const manifest = readManifest(parts.manifest);
  if (manifest === null || manifest.key_id !== signer.id) return refused('malformed');
  if (manifest.size !== parts.payload.length || manifest.sha256 !== sha256(parts.payload))
    return refused('tampered', manifest);
  const digest = sha256(bytes);
  const fault = termsFault(manifest, digest, terms);
  if (fault !== null) return refused(fault, manifest);
  const payload = readPayload(parts.payload);
  if (payload === null) return refused('unreadable', manifest);
  return { kind: 'opened', bundle: { manifest, digest, bytes, payload } };
}

/** Checks a verified manifest against the clock, this version of guard, and the versions taken before. */
function termsFault(manifest: Manifest, digest: string, { now, engine, floor, held }: BundleTerms): BundleFault | null {
  const untimely = now === null ? null : clockFault(manifest, now);
  if (untimely !== null) return untimely;
  if (older(engine, manifest.min_engine)) return 'engine';
  if (manifest.version < floor) return 'rollback';
  if (held === null) return null;
  return manifest.version === held.version && digest !== held.digest ? 'conflict' : null;
}

/** Faults that depend on the clock only. They disappear when a wrong clock is corrected. */
export function clockFault({ created, expires }: Manifest, now: number): 'expired' | 'not-yet' | null {
  if (Date.parse(expires) <= now) return 'expired';
  return Date.parse(created) > now + CLOCK_SKEW_MS ? 'not-yet' : null;
}

function split(bytes: Buffer): { signed: Buffer; manifest: string; signature: Buffer; payload: Buffer } | null {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const second = bytes.indexOf(0x0a, MAGIC.length);
  if (second === -1 || second - MAGIC.length > MAX_MANIFEST_BYTES) return null;
  const third = bytes.indexOf(0x0a, second + 1);
  if (third === -1 || third - second > 128) return null;
  const written = bytes.toString('latin1', second + 1, third);
  const signature = Buffer.from(written, 'base64url');
  // Base64 decoders ignore unknown characters. Only the canonical spelling of a signature is accepted.
  if (signature.length !== 64 || signature.toString('base64url') !== written) return null;
  return {
    signed: bytes.subarray(0, second + 1),
    manifest: bytes.toString('utf8', MAGIC.length, second),
    signature,
    payload: bytes.subarray(third + 1),
  };
}

function readManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { version, created, expires, sha256, size, key_id, min_engine } = value as Record<string, unknown>;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1 || version > 2_147_483_647)
    return null;
  if (!isMoment(created) || !isMoment(expires) || typeof size !== 'number') return null;
  if (typeof sha256 !== 'string' || typeof key_id !== 'string') return null;
  if (typeof min_engine !== 'string' || !isVersion(min_engine)) return null;
  return { version, created, expires, sha256, size, key_id, min_engine };
}

/** Whether it can stand in a manifest as `min_engine`: a bundle that says anything else is read by no proxy. */
export function isVersion(text: string): boolean {
  return VERSION_TEXT.test(text);
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 32 && !Number.isNaN(Date.parse(value));
}

/** Whether `one` is a lower version than `other`. A suffix after a dash is ignored: `'1.2.0-rc1'` equals `'1.2.0'`. */
export function older(one: string, other: string): boolean {
  const numbers = (text: string): number[] => text.split('-')[0]!.split('.').map(Number);
  const [a, b] = [numbers(one), numbers(other)];
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function refused(fault: BundleFault, manifest: Manifest | null = null): Opened {
  return { kind: 'refused', fault, manifest };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
