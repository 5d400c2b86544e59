/** The package as `npm pack` makes it, from whichever folder the program was compiled into. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY, run } from './processes.ts';

const BUILT = fileURLToPath(new URL('../../', import.meta.url));

/** The files of the repository that may be in a package beside what is compiled. */
const BESIDE = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'config.schema.json',
  'deploy',
  'docs',
];

export function packAt(stage: string): string {
  mkdirSync(stage, { recursive: true });
  for (const name of BESIDE) {
    if (existsSync(join(REPOSITORY, name))) cpSync(join(REPOSITORY, name), join(stage, name), { recursive: true });
  }
  // Tests and bench are there too, as they are after a build: that they are left out is for the package to see to.
  for (const name of ['src', 'workers', 'test', 'bench']) {
    if (existsSync(join(BUILT, name))) cpSync(join(BUILT, name), join(stage, 'dist', name), { recursive: true });
  }
  const { status, output } = run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: stage });
  assert.equal(status, 0, output);
  return join(stage, output.trim().split('\n').at(-1)!);
}

export function listed(archive: string): string[] {
  const { status, output } = run('tar', ['-tzf', archive]);
  assert.equal(status, 0, output);
  return output
    .trim()
    .split('\n')
    .map((line) => line.replace(/^package\//, ''))
    .sort();
}
