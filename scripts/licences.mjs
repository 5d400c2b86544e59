// Checks the license of every package that is shipped or used to build against an allowlist: node
// scripts/licences.mjs [--list] It reads package-lock.json only, so it needs no network and also covers packages for
// other platforms.
import { readFileSync } from 'node:fs';

/** Permissive licenses that require no more than their notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const count = new Map();
const refused = [];
for (const [path, { license, version, link }] of Object.entries(packages)) {
  if (path === '' || link === true) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const said = license ?? licenceOf(path);
  count.set(said, (count.get(said) ?? 0) + 1);
  if (!allowed(said)) refused.push(`${name}@${version}: ${said}`);
}

/** Some lock entries have no license. Then it is read from the installed package. */
function licenceOf(path) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(new URL(`../${path}/package.json`, import.meta.url), 'utf8'));
    return typeof license === 'string'
      ? license
      : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none stated');
  } catch {
    return 'none stated';
  }
}

/** Of an OR expression one license must be allowed, of an AND expression all. */
function allowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain.split(' OR ').some((side) => side.split(' AND ').every((each) => ALLOWED.has(each.trim())));
}

if (process.argv.includes('--list'))
  for (const [name, n] of [...count].sort((a, b) => b[1] - a[1])) console.log(`${n}\t${name}`);
if (refused.length > 0) {
  console.error(`licences that are not on the list:\n  ${refused.join('\n  ')}`);
  process.exit(1);
}
console.log(`${[...count.values()].reduce((a, b) => a + b, 0)} packages, ${count.size} licences, all of them allowed`);
