/**
 * `npm run train -- FOLDER ... [--out FOLDER] [--report FOLDER]`: trains the two models of the statistical scanner on
 * folders of labelled texts. It writes their weights, and reports with the results on text that they have not seen.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import minimist from 'minimist';
import { createLexicon } from '../src/likeness/lexicon.ts';
import { loadSignatures } from '../src/signatures/load.ts';
import { readCorpora } from './corpora.ts';
import { MODEL_SETUPS } from './model-setups.ts';
import type { ModelSetup } from './model-setups.ts';
import { ownCorpora } from './own-texts.ts';
import { train } from './train.ts';
import type { Trained } from './train.ts';

/**
 * Texts written by hand for this project: attacks and benign texts of many kinds, and a part that is never used for
 * training.
 */
const WRITTEN = 'train/written';

const flags = minimist(process.argv.slice(2), { string: ['out', 'report'] });
const folders = flags._;
if (folders.length === 0) throw new Error('usage: npm run train -- FOLDER ... [--out FOLDER] [--report FOLDER]');
const { signatures, problems } = loadSignatures();
if (problems.length > 0) throw new Error('the signatures are not sound: run guard signatures lint');

const corpora = [...[...folders, WRITTEN].flatMap(readCorpora), ...ownCorpora(signatures, ownPages())];
const out = flags['out'] ?? 'src/likeness';
const reportTo = flags['report'] ?? 'docs';
for (const folder of [out, reportTo]) mkdirSync(folder, { recursive: true });
const lexicon = createLexicon();
const asked = train(MODEL_SETUPS.asked, corpora, signatures, lexicon);
write(MODEL_SETUPS.asked, asked);
// Text that a model only reads is scored by both models.
write(MODEL_SETUPS.planted, train(MODEL_SETUPS.planted, corpora, signatures, lexicon, asked.opinions));

function write({ name }: ModelSetup, { bytes, report, text }: Trained): void {
  const file = join(out, `${name}.bin`);
  writeFileSync(file, bytes);
  writeFileSync(join(reportTo, `likeness-${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${text}${file}: ${bytes.length} bytes\n`);
}

/**
 * The documentation pages, except the one about these models: training on it would change the models that it
 * describes.
 */
function ownPages(): string[] {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'likeness.md');
  return pages.sort().map((name) => readFileSync(join('docs', name), 'utf8'));
}
