import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Signature } from '../domain/signature.ts';

/**
 * The build proves all shipped signatures together against their examples, and records them with a hash of the compiled
 * code and of the regex engine. With the same code and engine they need not be proven at every start, which would take
 * longer than everything else at the start. A subset of them counts as proven too: a signature finds the same whichever
 * others are present, and fewer signatures cannot match more of the texts that must not match.
 */
const FILE = new URL('./proven-at-build.json', import.meta.url);
/** The folders whose compiled code is hashed: everything that a thread executes, which is one file and its kernels. */
const HASHED_FOLDERS = ['../kernels/', '../../workers/'].map((path) => new URL(path, import.meta.url));

interface BuildProof {
  /** Hash of the code and the engine. */
  readonly with: string;
  /** One hash for each signature. */
  readonly signatures: readonly string[];
}

export interface SplitByProof {
  readonly proven: readonly Signature[];
  readonly unproven: readonly Signature[];
}

export function splitByBuildProof(signatures: readonly Signature[]): SplitByProof {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as BuildProof;
    if (kept.with !== hashOfCode()) return { proven: [], unproven: signatures };
    const known = new Set(kept.signatures);
    const isKnown = signatures.map((signature) => known.has(hashOf(signature)));
    return { proven: signatures.filter((_, i) => isKnown[i]), unproven: signatures.filter((_, i) => !isKnown[i]) };
  } catch {
    return { proven: [], unproven: signatures };
  }
}

export function writeProvenAtBuild(signatures: readonly Signature[]): void {
  writeFileSync(FILE, JSON.stringify({ with: hashOfCode(), signatures: signatures.map(hashOf) } satisfies BuildProof));
}

/** Hash of a signature without its position in a file, so that moving a signature does not change it. */
function hashOf(signature: Signature): string {
  const { source: _, ...written } = signature;
  return createHash('sha256').update(JSON.stringify(written)).digest('base64').slice(0, 22);
}

function hashOfCode(): string {
  const hash = createHash('sha256');
  // Its version alone: an image keeps less of the file, and would prove everything anew at each start.
  const manifest = readFileSync(createRequire(import.meta.url).resolve('re2/package.json'), 'utf8');
  hash.update((JSON.parse(manifest) as { version: string }).version);
  for (const folder of HASHED_FOLDERS) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(?:js|wasm)$/.test(name)) continue;
      const bytes = readFileSync(`${fileURLToPath(folder)}${name}`);
      hash.update(`${name} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('base64');
}
