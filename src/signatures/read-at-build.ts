import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Signature } from '../domain/signature.ts';

/**
 * A cache of the parsed bundled signatures, written by the build, because parsing the files takes a third of a second
 * at every start. The cache is used only if the signature files, and the code that parses them, are the same as at
 * build time.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const FILE = join(FOLDER, 'read-at-build.json');

interface Kept {
  readonly of: string;
  readonly signatures: readonly Signature[];
}

/** Returns null when there is no cache, or one of other files. */
export function readAtBuild(): readonly Signature[] | null {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
    return kept.of === stamp() ? kept.signatures : null;
  } catch {
    return null;
  }
}

export function writeReadAtBuild(signatures: readonly Signature[]): void {
  writeFileSync(FILE, JSON.stringify({ of: stamp(), signatures } satisfies Kept));
}

/** A hash over all signature files and the compiled code in this folder. */
function stamp(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:ya?ml|js)$/.test(name)) continue;
    const bytes = readFileSync(join(FOLDER, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('base64');
}
