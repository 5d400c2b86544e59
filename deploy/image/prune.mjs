// Takes out of an installed application what only building and testing it needed: node deploy/image/prune.mjs FOLDER
// Kept is what can be reached from dependencies and optional peers. `npm prune --omit=dev` was refused: it takes away the
// client of the optional shared store, and leaves re2's build chain and the 90 MB that its build leaves behind.
// Refused: a bundler. It would have to be taught the native module and the thread entry, and would hide what is shipped.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** 27 MB for a database inside one process: a control plane in containers has a PostgreSQL beside it. */
const LEFT_OUT = new Set(['@electric-sql/pglite']);

const folder = process.argv[2];
if (folder === undefined || !existsSync(join(folder, 'node_modules'))) {
  console.error('usage: node prune.mjs FOLDER, where FOLDER/node_modules is what `npm ci` installed');
  process.exit(2);
}
const modules = join(folder, 'node_modules');
// Someone else's packages would be cut down with ours.
if (lstatSync(modules).isSymbolicLink()) {
  console.error('node_modules is a link: this cuts down only what belongs to the folder');
  process.exit(2);
}
const manifestOf = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

pruneRe2(join(modules, 're2'));
const kept = reachable(folder, manifestOf(folder));
removeOthers(modules, kept);
dropShims(modules);

/** What `require('re2')` opens, and its licence; found by taking files away until it no longer worked. */
function pruneRe2(re2) {
  const slim = `${re2}.slim`;
  rmSync(slim, { recursive: true, force: true });
  for (const file of ['package.json', 're2.js', 'LICENSE', 'build/Release/re2.node']) {
    cpSync(join(re2, file), join(slim, file), { recursive: true });
  }
  const stripped = spawnSync('strip', ['--strip-unneeded', join(slim, 'build/Release/re2.node')], { stdio: 'inherit' });
  // Without binutils it works as well, only larger: that is for the reader of the size to notice, not a reason to fail.
  if (stripped.error !== undefined) console.error(`not stripped: ${stripped.error.message}`);
  else if (stripped.status !== 0) process.exit(1);
  const { dependencies, devDependencies, scripts, ...manifest } = manifestOf(slim);
  void [dependencies, devDependencies, scripts];
  writeFileSync(join(slim, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(re2, { recursive: true });
  renameSync(slim, re2);
}

/** Every package folder that resolution from the root can come to, the way Node looks for it. */
function reachable(root, manifest) {
  const found = new Set();
  const queue = [{ at: root, manifest }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = next.manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (LEFT_OUT.has(name)) continue;
      const path = resolveFrom(root, next.at, name);
      if (path === null || found.has(path)) continue;
      found.add(path);
      queue.push({ at: path, manifest: manifestOf(path) });
    }
  }
  return found;
}

function resolveFrom(root, from, name) {
  for (let at = from; ; at = join(at, '..')) {
    const path = join(at, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (at === root) return null;
  }
}

function removeOthers(at, kept) {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.name.startsWith('@')) {
      removeOthers(path, kept);
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
    } else if (!kept.has(path)) {
      rmSync(path, { recursive: true });
    } else if (existsSync(join(path, 'node_modules'))) {
      removeOthers(join(path, 'node_modules'), kept);
    }
  }
}

/** Links to commands of packages that may be gone, and npm's note of a tree that no longer is what it says. */
function dropShims(at) {
  for (const name of ['.bin', '.package-lock.json', '.cache']) rmSync(join(at, name), { recursive: true, force: true });
}
