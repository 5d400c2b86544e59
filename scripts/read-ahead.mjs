// Parses, compiles and proves the bundled signatures at build time, so that this is not repeated at every start and
// in every thread:
// node scripts/read-ahead.mjs FOLDER
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export async function readAhead(folder) {
  const from = (path) => import(pathToFileURL(resolve(folder, path)).href);
  const { loadSignatures } = await from('src/signatures/load.js');
  const { writeReadAtBuild } = await from('src/signatures/read-at-build.js');
  const { signatures, problems } = loadSignatures();
  // Problems are not reported here, but with their positions by whatever uses the signatures.
  if (problems.length > 0) return;
  writeReadAtBuild(signatures);
  const { compile } = await from('src/detect/ruleset.js');
  const { writeKnownAtBuild } = await from('src/detect/patterns/known-at-build.js');
  const { DECODERS } = await from('src/text/decoders/index.js');
  const { prove } = await from('src/detect/prove/prove.js');
  const { writeProvenAtBuild } = await from('src/scanner/proven-at-build.js');
  const compiled = compile(signatures, DECODERS);
  if (!('ruleset' in compiled)) return;
  writeKnownAtBuild(compiled.ruleset);
  if (prove(compiled.ruleset, signatures).length === 0) writeProvenAtBuild(signatures);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined || !existsSync(folder)) {
    console.error('usage: node scripts/read-ahead.mjs FOLDER, where FOLDER is a build');
    process.exit(2);
  }
  await readAhead(folder);
}
