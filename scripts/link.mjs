// Bundles a module of the build and everything it imports into one file, in place: node scripts/link.mjs FILE
//
// A scanning thread loads nearly 200 modules. Resolving, reading and linking them takes a tenth of a second, in every
// thread, at every start. Nothing is renamed or removed: each module becomes a function that runs once, in the order
// of the imports. Only the output of our own compiler is supported, and anything else is refused. An existing bundler
// was rejected, because it would be another package, with a binary for each platform, for what these lines do.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const IMPORT = /^import (?:(\w+)|\* as (\w+)|\{([^}]*)\}) from '([^']+)';$/gm;
const PASSED_ON = /^export \{([^}]*)\} from '([^']+)';$/gm;
const DECLARED = /^export (?=(?:async )?function\*? (\w+)\(|const (\w+) =|class (\w+) (?:\{|extends))/gm;

export function link(file) {
  const entry = resolve(file);
  /** For each path, the module's name in the bundle and its exports; null while it is being read. */
  const modules = new Map();
  const packages = new Map();
  const parts = [];

  function packageOf(name) {
    if (!packages.has(name)) packages.set(name, `package${packages.size}`);
    return packages.get(name);
  }

  function moduleOf(path) {
    if (!modules.has(path)) {
      modules.set(path, null);
      modules.set(path, joined(path));
    }
    const found = modules.get(path);
    if (found === null) throw new Error(`${path} imports itself, by way of others`);
    return found;
  }

  /**
   * Parses the names of an import: for each its name in the other module, its local name, and the expression for its
   * value.
   */
  function taken(path, from, names) {
    const there = from.startsWith('.') ? moduleOf(resolve(dirname(path), from)) : { as: packageOf(from), gives: null };
    return names
      .split(',')
      .filter((one) => one.trim() !== '')
      .map((one) => {
        const [theirs, ours = theirs] = one.trim().split(' as ');
        if (there.gives?.has(theirs) === false) throw new Error(`${path}: ${from} is not seen to give ${theirs}`);
        return { theirs, ours, value: `${there.as}.${theirs}` };
      });
  }

  function joined(path) {
    const gives = new Map();
    const say = (name) => (gives.set(name, name), '');
    const body = readFileSync(path, 'utf8')
      .replace(/^\/\/# sourceMappingURL=.*$/m, '')
      .replace(IMPORT, (_, only, all, some, from) => {
        if (some === undefined && !from.startsWith('.'))
          return `const ${all ?? only} = ${packageOf(from)}${all === undefined ? '.default' : ''};`;
        if (some === undefined) return `const ${all} = ${moduleOf(resolve(dirname(path), from)).as};`;
        return taken(path, from, some)
          .map(({ ours, value }) => `const ${ours} = ${value};`)
          .join(' ');
      })
      .replace(PASSED_ON, (_, some, from) => {
        for (const { ours, value } of taken(path, from, some)) gives.set(ours, value);
        return '';
      })
      .replace(DECLARED, (_, ...names) => say(names.find((name) => name !== undefined)))
      .replaceAll('import.meta.url', `new URL('${relative(dirname(entry), path)}', import.meta.url).href`);
    if (/\bimport\(/.test(body)) throw new Error(`${path} imports later, when nothing stands beside it`);
    const as = `module${parts.length}`;
    // Sorted by name, as in a module namespace.
    const given = [...gives].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}: ${value}`);
    parts.push(`const ${as} = (() => {\n${body}\nreturn { ${given.join(', ')} };\n})();\n`);
    return { as, gives: new Set(gives.keys()) };
  }

  const { as, gives } = moduleOf(entry);
  const imports = Array.from(packages, ([name, called]) => `import * as ${called} from '${name}';\n`);
  writeFileSync(entry, `${imports.join('')}${parts.join('')}export const { ${[...gives].join(', ')} } = ${as};\n`);
  rmSync(`${entry}.map`, { force: true });
  const { status, stderr } = spawnSync(process.execPath, ['--check', entry], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} holds what is not understood: ${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) link(process.argv[2]);
