import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Ruleset } from './ruleset.ts';

/**
 * Which ruleset the build held against all of its examples, with which programs and which engine. The same three need not be
 * held against them at every start, which takes longer than all else that a start does; any other does.
 */
const FILE = new URL('./proven-at-build.json', import.meta.url);
/** All that a scan runs through, as it was compiled and as the threads' own file holds it, and nothing that it does not. */
const PROGRAMS = ['../detect/', '../text/', '../wire/', '../domain/', '../../workers/'].map(
  (path) => new URL(path, import.meta.url),
);

export function provenAtBuild({ version }: Ruleset): boolean {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as unknown;
    return kept === proofOf(version);
  } catch {
    return false;
  }
}

export function writeProvenAtBuild({ version }: Ruleset): void {
  writeFileSync(FILE, JSON.stringify(proofOf(version)));
}

function proofOf(version: string): string {
  const hash = createHash('sha256').update(version);
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
