/**
 * `npm run train:agents -- FOLDER`: what agents and applications tell their models, out of published packages, as corpora that
 * `npm run train` reads beside others. Nothing of it is kept in this repository.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../corpora.ts';
import { SOURCES, type Source } from './packages.ts';
import { textsOf } from './texts.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: npm run train:agents -- FOLDER');

/** About what a model is sent at once; a manual of fifty pages is not one example. */
const PART = 5000;
/** Of one package: none is the whole world. */
const MOST_PARTS = 200;
const LARGEST_FILE = 15_000_000;
const CORPORA = { train: 'bn_agents', eval: 'bn_agents_unseen' } as const;

type Part = Pick<Row, 'id' | 'text' | 'label' | 'subtype'>;

const seen = new Set<string>();
const parts: Record<Source['use'], Part[]> = { train: [], eval: [] };
for (const source of SOURCES) {
  const found = partsOf(source);
  parts[source.use].push(...found);
  process.stdout.write(`${source.name}: ${found.length}\n`);
}
mkdirSync(folder, { recursive: true });
const index = ['| corpus | use | rows |', '|---|---|---:|'];
for (const use of ['train', 'eval'] as const) {
  const rows = parts[use].map((part) => JSON.stringify(part));
  writeFileSync(join(folder, `${CORPORA[use]}.jsonl`), `${rows.join('\n')}\n`);
  index.push(`| \`${CORPORA[use]}\` | ${use} | ${rows.length} |`);
}
writeFileSync(join(folder, 'INDEX.md'), `${index.join('\n')}\n`);

function partsOf({ name, version }: Source): Part[] {
  const at = mkdtempSync(join(tmpdir(), 'guard-agents-'));
  try {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: at, stdio: 'pipe' });
    execFileSync('tar', ['xzf', readdirSync(at)[0]!], { cwd: at });
    const found = filesIn(at).flatMap((file) => textsOf(file, readFileSync(file, 'utf8')));
    const all = found.filter(isNew).flatMap(cut);
    return all
      .map((text) => ({ id: `${name}-${sumOf(text).slice(0, 12)}`, text, label: 'benign', subtype: name }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, MOST_PARTS);
  } finally {
    rmSync(at, { recursive: true });
  }
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/licen[cs]e|change|notice|third.?party/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < LARGEST_FILE)
    .sort();
}

/** By how it begins, in letters alone: versions of one text differ in names and numbers. */
function isNew(text: string): boolean {
  const key = sumOf(text.toLowerCase().replace(/[^a-z]+/g, ' ').slice(0, 200)); // prettier-ignore
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** At the ends of paragraphs. */
function cut(text: string): string[] {
  const cuts: string[] = [];
  let part = '';
  for (const paragraph of text.split(/(?<=\n\s*\n)/)) {
    if (part.length + paragraph.length > PART && part.trim() !== '') {
      cuts.push(part);
      part = '';
    }
    part += paragraph;
  }
  return part.trim() === '' ? cuts : [...cuts, part];
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
