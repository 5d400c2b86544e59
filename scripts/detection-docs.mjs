// Writes docs/detection.md and its chart from the newest record of `npm run bench -- detect`.
// node scripts/detection-docs.mjs [--check]    only check whether they are up to date
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOrCheck } from './page.mjs';

const RESULTS = 'bench/results';
const REPORTS = { asked: 'docs/likeness-asked.json', planted: 'docs/likeness-planted.json' };

const out = process.env.GUARD_BUILD_OUT ?? 'dist';
const { DIAL_FILE, detectionPage, dialOf } = await import(pathToFileURL(resolve(out, 'bench/detect-page.js')).href);

const records = readdirSync(RESULTS)
  .filter((name) => name.endsWith('-detect.json'))
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')))
  .sort((a, b) => (a.at < b.at ? -1 : 1));
const record = records.at(-1);
if (record === undefined) {
  console.error(`${RESULTS} holds no record: npm run bench -- detect`);
  process.exit(1);
}
const retrained = Object.values(REPORTS).every((file) => existsSync(file))
  ? Object.fromEntries(Object.entries(REPORTS).map(([name, file]) => [name, JSON.parse(readFileSync(file, 'utf8'))]))
  : null;

writeOrCheck('detection-docs', {
  'docs/detection.md': detectionPage(record, retrained),
  [`docs/${DIAL_FILE}`]: dialOf(record),
});
