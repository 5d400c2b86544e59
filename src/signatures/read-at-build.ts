import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Signature } from '../domain/signature.ts';

/**
 * The bundled signatures as the build read them: reading their files takes a third of a second, at every start. They count
 * only while the files, and the programs that read them, are the ones that the build saw; of others nothing is believed.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const FILE = join(FOLDER, 'read-at-build.json');

interface Kept {
  readonly of: string;
  readonly signatures: readonly Signature[];
}

/** Null when there are none, or of other files than these. */
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

function stamp(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:ya?ml|js)$/.test(name)) continue;
    const bytes = readFileSync(join(FOLDER, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('base64');
}
