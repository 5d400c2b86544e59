import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listed, packAt } from './system/pack.ts';
import { folder, REPOSITORY } from './system/processes.ts';

const files = folder();
let archive: string;
let names: string[];

before(() => {
  archive = packAt(join(files.path, 'stage'));
  names = listed(archive);
});

after(() => files.remove());

test('the package holds the program, its licence and nothing that only builds or tests it', () => {
  for (const name of ['package.json', 'LICENSE', 'CHANGELOG.md', 'dist/src/main.js', 'dist/workers/scan.js']) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  const strays = names.filter((name) => !/^(dist\/(src|workers)\/|[A-Za-z.-]+$)/.test(name));
  assert.deepEqual(strays, []);
});

test('every data file that stands beside a source is in the package beside its program', () => {
  const data = (readdirSync(join(REPOSITORY, 'src'), { recursive: true }) as string[]).filter(
    (name) => !name.endsWith('.ts') && !name.endsWith('.md') && statSync(join(REPOSITORY, 'src', name)).isFile(),
  );
  assert.ok(data.includes('config/default.yaml'));
  assert.deepEqual(
    data.filter((name) => !names.includes(`dist/src/${name}`)),
    [],
  );
});

test('whatever package.json promises to ship exists', () => {
  const { files: promised, bin } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    files: string[];
    bin: Record<string, string>;
  };
  for (const name of promised.filter((each) => !/^!?dist\//.test(each)))
    assert.ok(existsSync(join(REPOSITORY, name)), name);
  for (const file of Object.values(bin)) assert.ok(names.includes(file), file);
});

test('no map of a source is in the package, for the sources are not', () => {
  assert.deepEqual(
    names.filter((name) => name.endsWith('.map')),
    [],
  );
});

test('the package is small enough to be fetched without a thought', (t) => {
  const { size } = statSync(archive);
  t.diagnostic(`${(size / 1024).toFixed(0)} KB in ${names.length} files`);
  assert.ok(size < 4 * 1_048_576, `${size} bytes`);
});
