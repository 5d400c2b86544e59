// Writes docs/coverage.md and docs/evasions.md from runs of the matrices against the compiled program. Takes some minutes.
//   node scripts/coverage-docs.mjs [coverage|evasions]    only one of the two
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const load = (file) => import(pathToFileURL(resolve(out, 'test/helpers', file)).href);
const only = process.argv[2];

if (only === undefined || only === 'coverage') {
  const { coveragePage } = await load('coverage-page.js');
  writeFileSync('docs/coverage.md', await coveragePage());
}
if (only === undefined || only === 'evasions') {
  const [{ evasionPage }, { startGuard }, { UNHURRIED }] = await Promise.all(
    ['evasion-page.js', 'guard.js', 'verdicts.js'].map(load),
  );
  const guard = await startGuard({ config: UNHURRIED });
  writeFileSync('docs/evasions.md', await evasionPage(guard));
  await guard.close();
}
