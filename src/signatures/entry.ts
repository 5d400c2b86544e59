import { editDistance } from '../domain/edit-distance.ts';
import type { Direction } from '../domain/job.ts';
import type { JsonObject } from '../domain/json-object.ts';
import { ROLES } from '../domain/passage.ts';
import type { Role } from '../domain/passage.ts';
import type { Signature } from '../domain/signature.ts';
import { CATEGORIES } from '../domain/verdict.ts';
import type { Category } from '../domain/verdict.ts';
import { filledIn, holeProblems } from './filled-in.ts';

/** The raw fields of an entry, not validated yet. */
export type Fields = JsonObject;
export type Path = readonly (string | number)[];
/** Reports a problem at the position of a value. */
export type Say = (path: Path, message: string) => void;

const DIRECTIONS = ['request', 'response'] as const satisfies readonly Direction[];
const FEWEST_MATCHES = 3;
const FEWEST_IGNORES = 2;
const DEFAULT_WITHIN = 40;

export const ENTRY_KEYS = [
  'id',
  'name',
  'category',
  'confidence',
  'why',
  'patterns',
  'keys',
  'exact',
  'hidden',
  'plain',
  'sentence',
  'check',
  'near',
  'within',
  'all',
  'roles',
  'directions',
  'matches',
  'ignores',
];

/** The fields at the top of a file that all of its entries inherit. */
export function inherited(file: Fields): Fields {
  const { category, roles, directions, exact, check } = file;
  return { category, roles, directions, exact, check };
}

/**
 * Validates an entry, already merged with what it inherits. Unknown keys are checked by the caller, which knows how
 * the entry was written.
 */
export function readEntry(entry: Fields, path: Path, source: Signature['source'], say: Say): Signature {
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

  const { exact, check, hidden, plain, sentence, language } = entry;
  if (exact !== undefined && typeof exact !== 'boolean') say([...path, 'exact'], "'exact' must be true or false");
  if (hidden !== undefined && typeof hidden !== 'boolean') say([...path, 'hidden'], "'hidden' must be true or false");
  if (plain !== undefined && typeof plain !== 'boolean') say([...path, 'plain'], "'plain' must be true or false");
  if (sentence !== undefined && typeof sentence !== 'boolean')
    say([...path, 'sentence'], "'sentence' must be true or false");
  const keys = texts('keys');

  const examples = (key: string): string[] =>
    texts(key).map((written) => {
      for (const problem of holeProblems(written)) say([...path, key], problem);
      return filledIn(written, id);
    });

  const signature: Signature = {
    id,
    name: text('name'),
    category: category as Category,
    confidence: confidence as number,
    why: text('why'),
    patterns: texts('patterns'),
    ...(keys.length > 0 ? { keys } : {}),
    ...(exact === true ? { exact } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(plain === true ? { plain } : {}),
    ...(sentence === true ? { sentence } : {}),
    ...(typeof language === 'string' ? { language } : {}),
    ...(check === undefined ? {} : { check: text('check') }),
    near: groups('near'),
    within: within as number,
    all: groups('all'),
    roles: listed<Role>('roles', ROLES),
    directions: listed<Direction>('directions', DIRECTIONS),
    matches: examples('matches'),
    ignores: examples('ignores'),
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

export function unknownKeys(value: Fields, known: readonly string[], path: Path, say: Say): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = known.find((name) => isMeantBy(key, name));
    say([...path, key], `unknown key '${key}'${meant === undefined ? '' : `: did you mean '${meant}'?`}`);
  }
}

function isMeantBy(key: string, name: string): boolean {
  // Checked first: a key may be as long as its file.
  return Math.abs(name.length - key.length) <= MOST_TYPOS && editDistance(name, key) <= MOST_TYPOS;
}

const MOST_TYPOS = 2;
