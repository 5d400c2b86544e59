import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineCounter, isMap, isNode, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import type { Direction } from '../domain/job.ts';
import { ROLES } from '../domain/passage.ts';
import type { Problem, Signature } from '../domain/signature.ts';
import { CATEGORIES } from '../domain/verdict.ts';
import type { Category } from '../domain/verdict.ts';
import type { Role } from '../domain/passage.ts';
import { filledIn } from './filled-in.ts';

/**
 * Reads signature files. It knows their shape and says every problem at once, with its place; whether a pattern is
 * sound and whether the examples tell the truth is known only where the engine is, in the workers (compile, prove).
 */
export interface Loaded {
  readonly signatures: readonly Signature[];
  readonly problems: readonly Problem[];
}

const BUNDLED = fileURLToPath(new URL('.', import.meta.url));
const DIRECTIONS = ['request', 'response'] as const satisfies readonly Direction[];
const FEWEST_MATCHES = 3;
const FEWEST_IGNORES = 2;
const DEFAULT_WITHIN = 40;
/** Shared word lists are aliases; enough for any honest file, too few for a file that multiplies itself. */
const MOST_ALIASES = 20_000;

const FILE_KEYS = ['category', 'roles', 'directions', 'exact', 'check', 'words', 'signatures'];
const ENTRY_KEYS = [
  'id',
  'name',
  'category',
  'confidence',
  'why',
  'patterns',
  'keys',
  'exact',
  'check',
  'near',
  'within',
  'all',
  'roles',
  'directions',
  'matches',
  'ignores',
];

/** The bundled signatures, then those of every extra file or folder. Ids are unique across all of them. */
export function loadSignatures(extraPaths: readonly string[] = []): Loaded {
  const signatures: Signature[] = [];
  const problems: Problem[] = [];
  for (const root of [BUNDLED, ...extraPaths]) {
    for (const file of filesOf(root, problems)) {
      const shown = root === BUNDLED ? `signatures/${relative(root, file)}` : file;
      const loaded = parseSignatures(readFileSync(file, 'utf8'), shown);
      signatures.push(...loaded.signatures);
      problems.push(...loaded.problems);
    }
  }
  return { signatures, problems: [...problems, ...duplicates(signatures)] };
}

function filesOf(path: string, problems: Problem[]): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    problems.push({ file: path, line: 1, column: 1, path: '', message: `cannot be read (${code})` });
    return [];
  }
}

function duplicates(signatures: readonly Signature[]): Problem[] {
  const first = new Map<string, Signature>();
  const problems: Problem[] = [];
  for (const signature of signatures) {
    const known = first.get(signature.id);
    if (known === undefined) first.set(signature.id, signature);
    else {
      const message = `the id ${signature.id} is already used at ${known.source.file}:${known.source.line}`;
      problems.push({ ...signature.source, column: 1, path: 'id', message });
    }
  }
  return problems;
}

/** One file's text; exported so that a control plane's bundle is read by the same rules as a file on disk. */
export function parseSignatures(source: string, file: string): Loaded {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, schema: 'core', version: '1.2' });
  const problems: Problem[] = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { file, line, column: col, path: '', message: error.message.split('\n')[0] as string };
  });
  if (problems.length > 0) return { signatures: [], problems };

  const placeOf = (path: readonly (string | number)[]): { line: number; column: number } => {
    const { line, col } = lines.linePos(offsetOf(document, path));
    return { line, column: col };
  };
  const say = (path: readonly (string | number)[], message: string): void => {
    problems.push({ file, ...placeOf(path), path: path.join('.'), message });
  };

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    say([], error instanceof Error ? error.message : 'cannot be read');
    return { signatures: [], problems };
  }
  if (!isRecord(data)) {
    say([], "must be a mapping with 'signatures'");
    return { signatures: [], problems };
  }
  unknownKeys(data, FILE_KEYS, [], say);
  if (!Array.isArray(data['signatures'])) {
    say(['signatures'], "must be a list of signatures under the key 'signatures'");
    return { signatures: [], problems };
  }
  const signatures = data['signatures'].flatMap((entry: unknown, index) => {
    const path = ['signatures', index];
    if (!isRecord(entry)) {
      say(path, 'must be a mapping');
      return [];
    }
    return [readEntry({ ...inherited(data), ...entry }, entry, path, { file, line: placeOf(path).line }, say)];
  });
  return { signatures, problems };
}

type Say = (path: readonly (string | number)[], message: string) => void;
type Fields = Readonly<Record<string, unknown>>;

/** What a file's entries have in common is written once, at its top. */
function inherited(file: Fields): Fields {
  const { category, roles, directions, exact, check } = file;
  return { category, roles, directions, exact, check };
}

function readEntry(
  entry: Fields,
  written: Fields,
  path: readonly (string | number)[],
  source: Signature['source'],
  say: Say,
): Signature {
  unknownKeys(written, ENTRY_KEYS, path, say);
  const text = (key: string): string => {
    const value = entry[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    say([...path, key], `'${key}' must be a text`);
    return '';
  };
  const texts = (key: string, value: unknown = entry[key]): string[] => {
    if (value === undefined || value === null) return [];
    const flat = Array.isArray(value) ? value.flat(2) : [value];
    if (flat.every((one) => typeof one === 'string' && one !== '')) return flat as string[];
    say([...path, key], `'${key}' must be a list of texts (quote what YAML would read otherwise)`);
    return [];
  };
  const groups = (key: string): string[][] => {
    const value = entry[key];
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length < 2) say([...path, key], `'${key}' must be a list of at least 2 groups`);
    return Array.isArray(value) ? value.map((group: unknown) => texts(key, group)) : [];
  };
  const listed = <T extends string>(key: string, allowed: readonly T[]): T[] => {
    const values = texts(key);
    for (const value of values)
      if (!allowed.includes(value as T)) say([...path, key], `'${value}' is not one of ${allowed.join(', ')}`);
    return values as T[];
  };

  const id = text('id');
  if (id !== '' && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    say([...path, 'id'], `'${id}' must be lower-case-with-dashes`);
  const category = text('category');
  if (category !== '' && !CATEGORIES.includes(category as Category))
    say([...path, 'category'], `'${category}' is not one of ${CATEGORIES.join(', ')}`);
  const { confidence, within = DEFAULT_WITHIN } = entry;
  if (typeof confidence !== 'number' || !(confidence > 0 && confidence < 1))
    say([...path, 'confidence'], "'confidence' must be a number above 0 and below 1");
  if (typeof within !== 'number' || !Number.isInteger(within) || within < 1 || within > 400)
    say([...path, 'within'], "'within' must be a whole number of characters from 1 to 400");

  const { exact, check } = entry;
  if (exact !== undefined && typeof exact !== 'boolean') say([...path, 'exact'], "'exact' must be true or false");
  const keys = texts('keys');

  const signature: Signature = {
    id,
    name: text('name'),
    category: category as Category,
    confidence: confidence as number,
    why: text('why'),
    patterns: texts('patterns'),
    ...(keys.length > 0 ? { keys } : {}),
    ...(exact === true ? { exact } : {}),
    ...(check === undefined ? {} : { check: text('check') }),
    near: groups('near'),
    within: within as number,
    all: groups('all'),
    roles: listed<Role>('roles', ROLES),
    directions: listed<Direction>('directions', DIRECTIONS),
    matches: texts('matches').map((written) => filledIn(written, id)),
    ignores: texts('ignores').map((written) => filledIn(written, id)),
    source,
  };
  if (signature.patterns.length + signature.near.length + signature.all.length === 0)
    say(path, "needs 'patterns', 'near' or 'all'");
  if ([...signature.near, ...signature.all].some((group) => group.length === 0)) say(path, 'holds an empty group');
  if (signature.matches.length < FEWEST_MATCHES)
    say([...path, 'matches'], `'matches' needs at least ${FEWEST_MATCHES} texts that it must find`);
  if (signature.ignores.length < FEWEST_IGNORES)
    say([...path, 'ignores'], `'ignores' needs at least ${FEWEST_IGNORES} near misses that it must spare`);
  return signature;
}

function unknownKeys(value: Fields, known: readonly string[], path: readonly (string | number)[], say: Say): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = known.find((name) => distance(name, key) <= 2);
    say([...path, key], `unknown key '${key}'${meant === undefined ? '' : `: did you mean '${meant}'?`}`);
  }
}

/** Where a value stands, or the nearest thing above it that exists. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const part = path.slice(0, length);
    const parent: unknown = document.getIn(part.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isNode(key) && String(key) === String(part.at(-1)));
      if (pair !== undefined && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node: unknown = length === 0 ? document.contents : document.getIn(part, true);
    if (isNode(node) && node.range !== null && node.range !== undefined) return node.range[0];
  }
  return 0;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Edits between two short words; keys are short, so the plain table is enough. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
