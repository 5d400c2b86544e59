import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../domain/mistake.ts';
import { MAX_BUNDLE_BYTES, openBundle, type Bundle } from './bundle.ts';
import type { TrustedKey } from './bundle-keys.ts';
import { readInstanceId } from './protocol.ts';

/**
 * What an instance stores on disk, so that it can start without the control plane: its id, its bundle and its policy.
 */

export interface Kept {
  readonly instanceId: string | null;
  readonly bundle: Bundle | null;
  /** The version that was in force before this one. No bundle below it is ever accepted. */
  readonly floor: number;
  readonly policy: { readonly etag: string; readonly value: unknown } | null;
}

export const NOTHING_KEPT: Kept = { instanceId: null, bundle: null, floor: 0, policy: null };

const STATE = 'fleet.json';
const BUNDLE = 'signatures.bundle';
const MAX_STATE_BYTES = 1_048_576;

/**
 * Reads the stored state. Whatever cannot be read or trusted counts as absent. The expiry date is not checked: the
 * bundle was valid when it was taken.
 */
export function readKept(folder: string | null, trusted: readonly TrustedKey[], engine: string): Kept {
  if (folder === null) return NOTHING_KEPT;
  const state = parsed(readBounded(join(folder, STATE), MAX_STATE_BYTES));
  const floor = typeof state.floor === 'number' && Number.isSafeInteger(state.floor) ? Math.max(0, state.floor) : 0;
  const bytes = readBounded(join(folder, BUNDLE), MAX_BUNDLE_BYTES);
  const opened = bytes === null ? null : openBundle(bytes, { trusted, now: null, engine, floor, held: null });
  const policy = state.policy as { etag?: unknown; value?: unknown } | null | undefined;
  return {
    instanceId: readInstanceId(state),
    bundle: opened?.kind === 'opened' ? opened.bundle : null,
    floor,
    policy:
      typeof policy?.etag === 'string' && policy.value !== undefined
        ? { etag: policy.etag, value: policy.value }
        : null,
  };
}

/**
 * Returns the code of the error when writing failed, else null. Each file is written under another name and then
 * renamed, so that a power failure leaves the old one intact.
 */
function keep(folder: string | null, kept: Kept): string | null {
  if (folder === null) return null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { instanceId, floor, policy, bundle } = kept;
    if (bundle === null) rmSync(join(folder, BUNDLE), { force: true });
    else replace(join(folder, BUNDLE), bundle.bytes);
    replace(join(folder, STATE), JSON.stringify({ instance_id: instanceId, floor, policy }));
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** What is kept, in memory and on disk. */
export interface KeptStore {
  kept(): Kept;
  change(change: Partial<Kept>): void;
}

/** `onFault` is called with the code of the error when a change could not be written. */
export function createKeptStore(folder: string | null, before: Kept, onFault: (code: string) => void): KeptStore {
  let kept = before;
  return {
    kept: () => kept,
    change(change) {
      kept = { ...kept, ...change };
      const fault = keep(folder, kept);
      if (fault !== null) onFault(fault);
    },
  };
}

function replace(file: string, content: Buffer | string): void {
  const beside = `${file}.new`;
  writeFileSync(beside, content, { mode: 0o600 });
  renameSync(beside, file);
}

function readBounded(file: string, maxBytes: number): Buffer | null {
  try {
    const { size } = statSync(file);
    return size > maxBytes ? null : readFileSync(file);
  } catch {
    return null;
  }
}

function parsed(bytes: Buffer | null): Readonly<Record<string, unknown>> {
  try {
    const value = bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as unknown);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
