// Runs the compiled tests. `node --test` takes a folder on one Node and a glob on the next; run({ files }) is the same on all.
//   node scripts/test.mjs [system] [word ...]              only the files whose name contains one of the words
//   node scripts/test.mjs [system] --without word [...]    all the others
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const words = process.argv.slice(2);
const system = words[0] === 'system';
if (system) words.shift();
const without = words[0] === '--without';
if (without) words.shift();
const folder = join(process.env.GUARD_BUILD_OUT ?? 'dist', 'test', system ? 'system' : '');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)) !== without)
  .sort()
  .map((name) => join(process.cwd(), folder, name));
if (files.length === 0) {
  console.error(`no test file in ${folder} matches: ${words.join(' ')}`);
  process.exit(1);
}
const stream = run({
  files,
  concurrency: Number(process.env.GUARD_TEST_CONCURRENCY ?? 2),
  timeout: system ? 900_000 : 600_000,
});
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
