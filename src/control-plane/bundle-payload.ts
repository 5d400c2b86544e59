import { isAbsolute } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import { BUNDLE_FILES, isShipped } from '../domain/signature.ts';
import type { Signature } from '../domain/signature.ts';
import { parseSignatures } from '../signatures/load.ts';

/** The payload of a bundle: signature files, and whether they replace the shipped signatures or are added to them. */

export type PayloadMode = 'add' | 'replace';

export interface Payload {
  readonly mode: PayloadMode;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

const MOST_FILES = 256;
const MOST_SIGNATURES = 10_000;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function writePayload(payload: Payload): Buffer {
  return Buffer.from(JSON.stringify({ mode: payload.mode, files: payload.files }));
}

/** Why no proxy would read such a payload, for the author who is about to sign it. Null when all is well. */
export function payloadFault({ files }: Payload): string | null {
  if (files.length === 0) return 'holds no file';
  if (files.length > MOST_FILES) return `holds ${files.length} files, more than ${MOST_FILES}`;
  const odd = files.find(({ name }) => !FILE_NAME.test(name));
  if (odd !== undefined)
    return `the name of '${odd.name}' must be 1 to 100 letters, digits, dots, dashes and underscores`;
  if (new Set(files.map(({ name }) => name)).size < files.length)
    return 'two files have the same name; a bundle has no folders';
  return null;
}

/** Parses a payload. Its author is verified by now, but may still have made a mistake. */
export function readPayload(bytes: Buffer): Payload | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown> | null;
    const { mode, files } = value ?? {};
    if (mode !== 'add' && mode !== 'replace') return null;
    if (!Array.isArray(files) || files.length > MOST_FILES) return null;
    const read = (files as unknown[]).map((file) => {
      const { name, text } = (file ?? {}) as Record<string, unknown>;
      return typeof name === 'string' && typeof text === 'string' ? { name, text } : null;
    });
    if (read.includes(null)) return null;
    const payload: Payload = { mode, files: read as Payload['files'] };
    return payloadFault(payload) === null ? payload : null;
  } catch {
    return null;
  }
}

const DISABLED = 'signatures.disabled';

/**
 * Whether a problem lies in what this instance has beside the bundle: the operator's files, which have a whole path,
 * or the list of what is disabled. Those that name no such place every instance has.
 */
export function isOfInstance({ file }: Problem): boolean {
  return file === DISABLED || isAbsolute(file);
}

export interface Merged {
  readonly signatures: readonly Signature[];
  readonly problems: readonly Problem[];
}

/**
 * Merges the signatures of the bundle with those of this machine. A bundled one replaces a shipped one with the same
 * id, which is how a signature is fixed. The operator's own files are never replaced by a bundle.
 */
export function mergeSignatures(local: readonly Signature[], payload: Payload, disabled: readonly string[]): Merged {
  const problems: Problem[] = [];
  const sent: Signature[] = [];
  for (const { name, text } of payload.files) {
    const loaded = parseSignatures(text, `${BUNDLE_FILES}${name}`);
    problems.push(...loaded.problems);
    sent.push(...loaded.signatures);
  }
  const wrong = (file: string, message: string): void =>
    void problems.push({ file, line: 0, column: 0, path: '', message });
  if (sent.length > MOST_SIGNATURES) wrong('bundle', `holds ${sent.length} signatures, more than ${MOST_SIGNATURES}`);
  // One that joins the shipped ones may be empty: it withdraws what the one before added.
  if (payload.mode === 'replace' && sent.length === 0 && problems.length === 0)
    wrong('bundle', 'takes the place of the shipped signatures and holds none');
  const ids = new Set<string>();
  for (const { id, source } of sent) {
    if (ids.has(id)) problems.push({ ...source, column: 1, path: 'id', message: `the id ${id} stands twice` });
    ids.add(id);
  }
  const without = new Set(disabled);
  const kept = local.filter((signature) => !isShipped(signature) || (payload.mode === 'add' && !ids.has(signature.id)));
  for (const { id, source } of kept)
    if (ids.has(id))
      problems.push({ ...source, column: 1, path: 'id', message: `the id ${id} is used by the signature bundle, too` });
  const signatures = [...kept, ...sent.filter(({ id }) => !without.has(id))];
  if (signatures.length === 0 && problems.length === 0)
    wrong(DISABLED, 'leaves no signature of the bundle, which takes the place of the shipped ones');
  return { signatures, problems };
}
