// Builds a complete dist/: compiles the TypeScript, copies the data files, compiles the kernels, bundles the code of
// a scanning thread, and parses the signatures ahead of time. With --if-changed it does so only where something has
// changed since the last build:
// node scripts/build.mjs [--if-changed]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileKernels } from './kernels.mjs';
import { link } from './link.mjs';
import { readAhead } from './read-ahead.mjs';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const STAMP = join(out, 'built-from');
const SOURCES = ['src', 'workers', 'kernel', 'bench', 'train', 'test', 'scripts'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** Of everything that the build reads. A package that was changed by hand is not noticed. */
function sourcesNow() {
  const hash = createHash('sha256').update(process.version);
  const within = (folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [];
  for (const file of [...SETTINGS, ...SOURCES.flatMap(within)].sort()) {
    const bytes = readFileSync(file);
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('base64');
}

const sources = sourcesNow();
if (process.argv.includes('--if-changed')) {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) process.exit(0);
  console.error('building, which takes half a minute ...');
}
rmSync(out, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.', '--outDir', out], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const DATA = /\.(yaml|json|jsonl|html|css|js|svg|sql|bin|txt)$/;
for (const root of ['src', 'test/fixtures']) {
  for (const file of readdirSync(root, { recursive: true })) {
    if (!DATA.test(file)) continue;
    const to = join(out, root, file);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, file), to);
  }
}
await compileKernels(join(out, 'src/kernels'));
link(join(out, 'workers/scan.js'));
await readAhead(out);
chmodSync(join(out, 'src/main.js'), 0o755);
// Last: a build that was broken off has none.
writeFileSync(STAMP, sources);
