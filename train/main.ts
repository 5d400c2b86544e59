/**
 * `npm run train -- FOLDER ... [--out FILE] [--report FILE]`: learns the weights of the statistical scanner from folders of
 * labelled texts and writes them, with what was measured on text they have not seen.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import minimist from 'minimist';
import { createLexicon } from '../src/likeness/lexicon.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { readCorpora } from './corpora.ts';
import { ownCorpora } from './own-texts.ts';
import { train } from './train.ts';

/** What was written by hand for this project: attacks and honest texts of many kinds, and a part that is never trained on. */
const WRITTEN = 'train/written';

const flags = minimist(process.argv.slice(2), { string: ['out', 'report'] });
const folders = flags._;
if (folders.length === 0) throw new Error('usage: npm run train -- FOLDER ... [--out FILE] [--report FILE]');
const { signatures, problems } = loadSignatures();
if (problems.length > 0) throw new Error('the signatures are not sound: run guard signatures lint');

const corpora = [...[...folders, WRITTEN].flatMap(readCorpora), ...ownCorpora(signatures, ownPages())];
const { bytes, report, text } = train(corpora, signatures, createLexicon());
const out = flags['out'] ?? 'src/likeness/weights.bin';
const reportTo = flags['report'] ?? 'docs/likeness.json';
for (const file of [out, reportTo]) mkdirSync(dirname(file), { recursive: true });
writeFileSync(out, bytes);
writeFileSync(reportTo, `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(`${text}${out}: ${bytes.length} bytes\n`);

/** The page about this model would change the model that it is about. */
function ownPages(): string[] {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'likeness.md');
  return pages.sort().map((name) => readFileSync(join('docs', name), 'utf8'));
}
