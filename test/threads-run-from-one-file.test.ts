/** What a thread runs is joined into one file by the build. Joined, modules do what they did apart, or are refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('../workers/scan.js', import.meta.url));
const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-link-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function linked(folder: string, file: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, ['scripts/link.mjs', join(folder, file)], { encoding: 'utf8' });
}

/** All that a module gives, with what running it wrote. */
function given(folder: string, file: string): unknown {
  const program = `const all = await import(${JSON.stringify(join(folder, file))}); console.log(JSON.stringify(all));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
}

const FORMS = {
  'deep/words.js': `console.log('words');
export const WORDS = ['a', 'b'];
export function count(of) { return of.length; }
export function* each() { yield* WORDS; }
export async function later() { return 1; }
export class Box {
}
`,
  'deep/numbers.js': `import { count, WORDS as LIST } from './words.js';
console.log('numbers');
export const zero = 0;
export const all = count(LIST);
export { WORDS, count as number } from './words.js';
`,
  'entry.js': `import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { basename, join as joined } from 'node:path';
import * as numbers from './deep/numbers.js';
import { Box, each } from './deep/words.js';
console.log('entry');
assert.equal(numbers.number([1, 2, 3]), 3);
export const kinds = [typeof fs.readFileSync, joined('a', 'b'), basename(import.meta.url)];
export const listed = Object.entries(numbers).map(([name, value]) => [name, typeof value]);
export const words = [...each(), new Box().constructor.name];
export function called() { return 1; }
//# sourceMappingURL=entry.js.map
`,
};

test('modules that are joined give what they gave apart, and run once each, in the same order', () => {
  const folder = folderOf({ ...FORMS, 'entry.js.map': '{}' });
  const apart = given(folder, 'entry.js');
  assert.match(String(apart), /^words\nnumbers\nentry\n\{.*"words":\["a","b","Box"\]/);
  const { status, stderr } = linked(folder, 'entry.js');
  assert.equal(status, 0, stderr);
  rmSync(join(folder, 'deep'), { recursive: true });
  assert.equal(given(folder, 'entry.js'), apart);
  assert.equal(existsSync(join(folder, 'entry.js.map')), false, 'a map of other lines is worse than none');
});

test('a module still finds the files that stand beside it', () => {
  const reads = `import { readFileSync } from 'node:fs';
export const text = readFileSync(new URL('./data.txt', import.meta.url), 'utf8');
`;
  const folder = folderOf({
    'src/reads.js': reads,
    'src/data.txt': 'beside',
    'run/entry.js': `export { text } from '../src/reads.js';\n`,
  });
  assert.equal(linked(folder, 'run/entry.js').status, 0);
  assert.equal(given(folder, 'run/entry.js'), '{"text":"beside"}\n');
});

test('what cannot be joined is refused: a circle, a name that is not given, a form that the compiler does not write', () => {
  const refused = (files: Readonly<Record<string, string>>, why: RegExp): void => {
    const { status, stderr } = linked(folderOf(files), 'entry.js');
    assert.notEqual(status, 0);
    assert.match(stderr, why);
  };
  refused(
    {
      'entry.js': `import { a } from './a.js';\nexport const e = a;\n`,
      'a.js': `import { e } from './entry.js';\nexport const a = 1;\n`,
    },
    /entry\.js imports itself, by way of others/,
  );
  refused(
    {
      'entry.js': `import { two } from './a.js';\nexport const e = two;\n`,
      'a.js': 'export const one = 1, two = 2;\n',
    },
    /\.\/a\.js is not seen to give two/,
  );
  refused(
    { 'entry.js': `import { a } from './a.js';\nexport const e = a;\n`, 'a.js': 'export let a = 1;\n' },
    /is not seen to give a/,
  );
  refused({ 'entry.js': 'export default 1;\n' }, /holds what is not understood/);
  refused({ 'entry.js': `export const later = () => import('./a.js');\n` }, /entry\.js imports later/);
});

test('the file of the threads holds all that they run, but packages and what Node has', () => {
  const imports = [...readFileSync(WORKER, 'utf8').matchAll(/^import .* from '([^']+)';$/gm)].map(([, from]) => from!);
  assert.ok(imports.length > 3);
  assert.deepEqual(
    imports.filter((from) => !from.startsWith('node:')),
    ['re2', 'ipaddr.js'],
  );
});
