/**
 * `npm run train:published -- FOLDER`: extracts from published packages what agents and applications tell their
 * models, and what project files contain. It writes them as corpora that `npm run train` reads beside others. None of
 * it is kept in this repository.
 */
import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../corpora.ts';
import { messagesInCatalog } from './catalogs.ts';
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
/** The limit for one language of a game. */
const MOST_DIALOGUES = 930;
const MOST_SAYINGS = 1500;
/** Shorter texts are names and buttons. A character of some scripts is a word. */
const SHORTEST_DIALOGUE = 26;
const SHORTEST_IN_CHARACTERS = 11;
const CHARACTER_WORDS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

type Part = Pick<Row, 'id' | 'text' | 'label' | 'subtype'>;

const READERS = {
  bn_agents: promptsOf,
  bn_agents_unseen: promptsOf,
  bn_files: filesOf,
  bn_files_unseen: filesOf,
  bn_pages: pagesOf,
  bn_dialogues: dialoguesOf,
  bn_sayings_unseen: sayingsOf,
} satisfies Record<Source['corpus'], (root: string) => string[]>;

const UNPACKED = {
  npm({ name, version }, at) {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: at, stdio: 'pipe' });
    execFileSync('tar', ['xzf', readdirSync(at)[0]!], { cwd: at });
  },
  debian({ name, version }, at) {
    execFileSync('apt-get', ['download', '-qq', `${name}=${version}`], { cwd: at, stdio: 'pipe' });
    execFileSync('dpkg-deb', ['--extract', readdirSync(at)[0]!, '.'], { cwd: at });
  },
} satisfies Record<Source['registry'], (source: Source, at: string) => void>;

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
 * Splits collections of which there is only one. Half of the pages are for training, in parts, and the other half only
 * measures, as whole pages: training uses the window of each text that is most like an attack, so whole pages would
 * teach almost nothing. Three quarters of the dialogues are for training.
 */
function splitForTraining([corpus, parts]: [string, Part[]]): [string, Part[]][] {
  const measuredOf = { bn_pages: 2, bn_dialogues: 4 }[corpus];
  if (measuredOf === undefined) return [[corpus, parts]];
  const isForTraining = ({ text }: Part): boolean => createHash('sha256').update(text).digest()[0]! % measuredOf !== 0;
  const training = parts.filter(isForTraining);
  return [
    [corpus, corpus === 'bn_pages' ? training.flatMap(inParts) : training],
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
  const { name } = source;
  const at = mkdtempSync(join(tmpdir(), 'guard-published-'));
  try {
    UNPACKED[source.registry](source, at);
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

/** The lines of a game, in its own language and in all others, as many of each. */
function dialoguesOf(root: string): string[] {
  const ofLanguages = new Map<string, Set<string>>();
  const add = (language: string, text: string): void => {
    const shortest = CHARACTER_WORDS.test(text) ? SHORTEST_IN_CHARACTERS : SHORTEST_DIALOGUE;
    if (text.length < shortest) return;
    const texts = ofLanguages.get(language) ?? new Set();
    ofLanguages.set(language, texts.add(text));
  };
  for (const file of filesIn(root)) {
    const language = /([^/]+)\/LC_MESSAGES\/[^/]+\.mo$/.exec(file)?.[1];
    if (language === undefined) continue;
    for (const { source, translation } of messagesInCatalog(readFileSync(file))) {
      add(language, translation);
      add('', source);
    }
  }
  return [...ofLanguages.values()].flatMap((texts) =>
    inFixedOrder([...texts])
      .filter(isNew)
      .slice(0, MOST_DIALOGUES),
  );
}

function sayingsOf(root: string): string[] {
  const sayings = filesIn(root)
    .filter((file) => file.includes('/games/fortunes/') && !/\.(?:dat|u8)$/.test(file))
    .map((file) => readFileSync(file))
    .filter(isUtf8)
    .flatMap((bytes) => bytes.toString('utf8').split(/\n%\n/))
    .map((text) => text.trim())
    .filter((text) => text.length >= SHORTEST_DIALOGUE && isNew(text));
  return inFixedOrder(sayings).slice(0, MOST_SAYINGS);
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
