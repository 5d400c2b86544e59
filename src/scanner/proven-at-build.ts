import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Signature } from '../domain/signature.ts';

/**
 * Which signatures the build held against their examples, together, with which programs and which engine. With the same
 * programs they need not be held against them at every start, which takes longer than all else that a start does. Some of them
 * without the others are proven too: what one finds, no other takes away, and fewer find less in what is to be spared.
 */
const FILE = new URL('./proven-at-build.json', import.meta.url);
/** All that a scan runs through, as it was compiled and as the threads' own file holds it, and nothing that it does not. */
const PROGRAMS = ['../detect/', '../text/', '../wire/', '../domain/', '../../workers/'].map(
  (path) => new URL(path, import.meta.url),
);

interface Kept {
  readonly with: string;
  /** A hash of each. */
  readonly signatures: readonly string[];
}

export interface Parted {
  readonly proven: readonly Signature[];
  readonly others: readonly Signature[];
}

export function provenAtBuild(signatures: readonly Signature[]): Parted {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
    if (kept.with !== programs()) return { proven: [], others: signatures };
    const known = new Set(kept.signatures);
    const isKnown = signatures.map((signature) => known.has(nameOf(signature)));
    return { proven: signatures.filter((_, i) => isKnown[i]), others: signatures.filter((_, i) => !isKnown[i]) };
  } catch {
    return { proven: [], others: signatures };
  }
}

export function writeProvenAtBuild(signatures: readonly Signature[]): void {
  writeFileSync(FILE, JSON.stringify({ with: programs(), signatures: signatures.map(nameOf) } satisfies Kept));
}

/** Wherever it is written. */
function nameOf(signature: Signature): string {
  const { source: _, ...written } = signature;
  return createHash('sha256').update(JSON.stringify(written)).digest('base64').slice(0, 22);
}

function programs(): string {
  const hash = createHash('sha256');
  hash.update(readFileSync(createRequire(import.meta.url).resolve('re2/package.json')));
  for (const folder of PROGRAMS) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!name.endsWith('.js')) continue;
      const bytes = readFileSync(`${fileURLToPath(folder)}${name}`);
      hash.update(`${name} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('base64');
}
