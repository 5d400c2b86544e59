// Builds a complete dist/: compiles the TypeScript, copies the data files, compiles the kernels, bundles the code of
// a scanning thread, and parses the signatures ahead of time.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileKernels } from './kernels.mjs';
import { link } from './link.mjs';
import { readAhead } from './read-ahead.mjs';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
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
