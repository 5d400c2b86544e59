/**
 * `npm run train:published -- FOLDER`: extracts from published packages what agents and applications tell their
 * models, and what project files contain. It writes them as corpora that `npm run train` reads beside others. None of
 * it is kept in this repository.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../corpora.ts';
import { cutIntoParts, partsOfFile, joinPieces } from './files.ts';
import { SOURCES, type Source } from './packages.ts';
import { promptsIn } from './prompts.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: npm run train:published -- FOLDER');

/** The limit for one package, because no package is representative alone. */
const MOST_PROMPTS = 200;
/**
 * With five times as many, training on files outweighs short lines: 15 of 947 near misses were blocked instead of 3.
 */
const MOST_PROSE = 40;
const MOST_CODE = 5;
/** The limit for one page. After these parts, a page consists of its scripts. */
const MAX_PARTS_OF_PAGE = 30;
const LARGEST_FILE = 20_000_000;

type Part = Pick<Row, 'id' | 'text' | 'label' | 'subtype'>;

const READERS = {
  bn_agents: promptsOf,
  bn_agents_unseen: promptsOf,
  bn_files: filesOf,
  bn_files_unseen: filesOf,
  bn_pages: pagesOf,
} satisfies Record<Source['corpus'], (root: string) => string[]>;

const seen = new Set<string>();
const corpora = new Map<Source['corpus'], Part[]>();
for (const source of SOURCES) {
  const found = partsOf(source);
  corpora.set(source.corpus, [...(corpora.get(source.corpus) ?? []), ...found]);
  process.stdout.write(`${source.corpus} ${source.name}: ${found.length}\n`);
}
mkdirSync(folder, { recursive: true });
const index = ['| corpus | use | rows |', '|---|---|---:|'];
for (const [corpus, parts] of [...corpora].flatMap(splitForTraining)) {
  writeFileSync(join(folder, `${corpus}.jsonl`), `${parts.map((part) => JSON.stringify(part)).join('\n')}\n`);
  index.push(`| \`${corpus}\` | ${corpus.endsWith('_unseen') ? 'eval' : 'train'} | ${parts.length} |`);
}
writeFileSync(join(folder, 'INDEX.md'), `${index.join('\n')}\n`);

/**
 * Splits the only collection of pages: half of it is for training, in parts, and the other half only measures, as
 * whole pages. Training uses the window of each text that is most like an attack, so whole pages would teach almost
 * nothing.
 */
function splitForTraining([corpus, parts]: [string, Part[]]): [string, Part[]][] {
  if (corpus !== 'bn_pages') return [[corpus, parts]];
  const isForTraining = ({ text }: Part): boolean => createHash('sha256').update(text).digest()[0]! % 2 === 1;
  return [
    [corpus, parts.filter(isForTraining).flatMap(inParts)],
    [`${corpus}_unseen`, parts.filter((part) => !isForTraining(part))],
  ];
}

function inParts(page: Part): Part[] {
  const ofPage = ({ id, subtype }: Part, text: string): Part => ({
    id: idOf(id, text),
    text,
    label: 'benign',
    subtype,
  });
  return cutIntoParts(page.text)
    .slice(0, MAX_PARTS_OF_PAGE)
    .map((text) => ofPage(page, text));
}

function partsOf(source: Source): Part[] {
  const { name, version } = source;
  const at = mkdtempSync(join(tmpdir(), 'guard-published-'));
  try {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: at, stdio: 'pipe' });
    execFileSync('tar', ['xzf', readdirSync(at)[0]!], { cwd: at });
    const texts = READERS[source.corpus](at);
    return texts.map((text) => ({ id: idOf(name, text), text, label: 'benign', subtype: name }));
  } finally {
    rmSync(at, { recursive: true });
  }
}

/** Whole pages, because hidden and visible text can be far apart. */
function pagesOf(root: string): string[] {
  return filesIn(root)
    .filter((file) => file.endsWith('.html'))
    .map((file) => readFileSync(file, 'utf8'));
}

function promptsOf(root: string): string[] {
  return inFixedOrder(
    filesIn(root)
      .flatMap((file) => promptsIn(file, readFileSync(file, 'utf8')))
      .filter(isNew)
      .flatMap((text) => joinPieces(text.split(/(?<=\n\s*\n)/))),
  ).slice(0, MOST_PROMPTS);
}

function filesOf(root: string): string[] {
  const parts = filesIn(root)
    .flatMap((file) => partsOfFile(file, readFileSync(file, 'utf8')))
    .filter(({ text }) => isNew(text));
  const textsOf = (isProse: boolean): string[] =>
    inFixedOrder(parts.filter((part) => part.isProse === isProse).map(({ text }) => text));
  return [...textsOf(true).slice(0, MOST_PROSE), ...textsOf(false).slice(0, MOST_CODE)];
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/licen[cs]e|change|notice|third.?party|\.map$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < LARGEST_FILE)
    .sort();
}

/**
 * Whether no text with the same first letters was seen before. Only letters are compared: versions of a text differ
 * in names and numbers.
 */
function isNew(text: string): boolean {
  const key = checksumOf(text.toLowerCase().replace(/[^\p{L}]+/gu, ' ').slice(0, 200)); // prettier-ignore
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** An arbitrary order that is the same each time. */
function inFixedOrder(texts: readonly string[]): string[] {
  return texts
    .map((text) => [checksumOf(text), text] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text);
}

function idOf(name: string, text: string): string {
  return `${name}-${checksumOf(text).slice(0, 12)}`;
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
