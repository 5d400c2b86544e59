import type * as z from 'zod';
import type { Problem } from '../domain/problem.ts';
import { isTable, table } from './table.ts';
import type { Location, Sheet } from './sheet.ts';
import { schema } from './schema.ts';
import { entryOf, isMap, own, pathText, sectionOf } from './shape.ts';
import { closest } from './suggest.ts';
import { valueOfText } from './value-of-text.ts';
import { BUNDLED_VARIABLES, isForeign, NAMED_VARIABLES } from './variables.ts';

/** Settings from environment variables and command-line flags, which override those of the file. */

interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
  /** Another setting that is spelled the same: a variable cannot tell `llm-a` from `llm_a`. */
  readonly twin?: readonly string[];
}

type Spelling = (path: readonly string[]) => string;

const dotted: Spelling = (path) => path.join('.');
const asVariable: Spelling = (path) =>
  `GUARD_${path.map((step) => step.replace(/[-.]/g, '_').toUpperCase()).join('__')}`;

/**
 * Applies the `GUARD_...` variables. `mentioned` are variables that the file refers to, which are therefore not
 * unknown. Returns the warnings.
 *
 * An unknown variable is a problem where it is meant for us: a typo of a setting, above all of one that closes
 * something, must not be lost. Any other one (GUARD_VERSION, GUARD_BASE_URL) is what those around the proxy named after
 * it for their own use, and must not keep it from starting.
 */
export function applyEnvironment(
  sheet: Sheet,
  env: NodeJS.ProcessEnv,
  mentioned: ReadonlySet<string>,
): readonly Problem[] {
  const ours = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX))
    .sort();
  if (ours.length === 0) return [];
  const warnings: Problem[] = [];
  const leaves = leavesBy(asVariable, sheet);
  const named = new Map(Object.entries(NAMED_VARIABLES));
  const byPath = leavesBy(dotted, sheet);
  // Short names are applied last: GUARD_LOG_LEVEL overrides every other way to set the level.
  for (const name of [...ours.filter((each) => !named.has(each)), ...ours.filter((each) => named.has(each))]) {
    const value = env[name] ?? '';
    // Compose files and Helm charts pass variables on as empty text when nobody set them.
    if (value === '') continue;
    const leaf = leaves.get(name) ?? byPath.get(named.get(name) ?? '');
    const location: Location = { file: 'environment', line: 0, column: 0, name };
    if (leaf?.twin !== undefined) {
      const [one, other] = [leaf.twin, leaf.path].map(pathText);
      sheet.complain([], `stands for ${one} and for ${other}; use --set or the file`, location);
    } else if (leaf !== undefined) {
      put(sheet, leaf, value, location);
    } else if (!mentioned.has(name) && !BUNDLED_VARIABLES.some((each) => each === name) && !isForeign(name, value)) {
      const meant = meantBy(name, [...leaves.keys(), ...named.keys(), ...BUNDLED_VARIABLES]);
      if (meant !== null) sheet.complain([], `unknown variable; did you mean ${meant}?`, location);
      else if (name.includes('__')) sheet.complain([], 'unknown variable; there is no such key', location);
      else
        warnings.push({
          ...NOWHERE,
          path: name,
          message: 'is no setting and has no effect; levels of a key are joined by __',
        });
    }
  }
  return warnings;
}

const NOWHERE = { file: 'environment', line: 0, column: 0 };
const PREFIX = 'GUARD_';

/** The variable that was most likely meant. Names are compared without their prefix, which makes any two of them alike. */
function meantBy(name: string, known: readonly string[]): string | null {
  const bare = name.slice(PREFIX.length);
  const near = closest(
    bare,
    known.map((each) => each.slice(PREFIX.length)),
  );
  if (near !== null) return `${PREFIX}${near}`;
  if (bare === 'PORT') return 'GUARD_SERVER__PORT';
  // GUARD_FAILURE_MODE: a key without its sections. One of a single word (GUARD_HOST) could be anybody's, and so could
  // GUARD_API_KEY: those of the control plane have short names, by which they are known.
  const isKey = bare.includes('_') && !bare.includes('__');
  const ending = (each: string): boolean => each.endsWith(`__${bare}`) && !each.startsWith(CONTROL_PLANE);
  return (isKey ? known.find(ending) : undefined) ?? null;
}

const CONTROL_PLANE = 'GUARD_CONTROL_PLANE';

/** `flags` maps dotted paths to values as text: `{ 'server.port': '9090' }`. */
export function applyFlags(sheet: Sheet, flags: Readonly<Record<string, string>>): void {
  const leaves = leavesBy(dotted, sheet);
  for (const [name, value] of Object.entries(flags)) {
    const location: Location = { file: 'command line', line: 0, column: 0, name };
    const leaf = leaves.get(name);
    if (leaf !== undefined) {
      put(sheet, leaf, value, location);
    } else {
      const meant = closest(name, [...leaves.keys()]);
      sheet.complain([], `unknown key${meant === null ? '' : `; did you mean ${meant}?`}`, location);
    }
  }
}

/**
 * All settings, by their name in one spelling. Entries of maps exist only if the file names them. A variable cannot
 * tell `llm-a` from `llm_a`, so it may change an upstream but not add one.
 */
function leavesBy(spelling: Spelling, sheet: Sheet): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  const visit = (at: z.core.$ZodType, path: readonly string[], raw: unknown): void => {
    const section = sectionOf(at);
    const below = isTable(raw) ? raw : null;
    if (section !== null) {
      for (const [key, under] of Object.entries(section)) visit(under, [...path, key], below?.[key]);
    } else if (isMap(at)) {
      for (const key of Object.keys(below ?? {})) visit(entryOf(at)!, [...path, key], below?.[key]);
    } else {
      const name = spelling(path);
      const twin = found.get(name)?.path;
      found.set(name, { path, schema: at, ...(twin === undefined ? {} : { twin }) });
    }
  };
  visit(schema, [], sheet.raw);
  return found;
}

function put(sheet: Sheet, leaf: Leaf, text: string, location: Location): void {
  let holder = sheet.raw;
  for (const step of leaf.path.slice(0, -1)) {
    const below = holder[step];
    // The file has a plain value where a section belongs. The variable must not hide that problem.
    // With `null` the file only says that there is no such section, as it does by leaving it out.
    if (below !== undefined && below !== null && !isTable(below)) return;
    holder = (holder[step] ??= table()) as Record<string, unknown>;
  }
  const key = leaf.path.at(-1)!;
  dropTwin(sheet, holder, leaf.path, location);
  holder[key] = valueOfText(text, leaf.schema);
  sheet.note(leaf.path, { key: location, value: location });
}

/** `api_key` from a source of higher priority replaces `api_key_file` from one of lower priority, and vice versa. */
function dropTwin(sheet: Sheet, holder: Record<string, unknown>, path: readonly string[], location: Location): void {
  const key = path.at(-1)!;
  const twin = key.endsWith('_file') ? key.slice(0, -'_file'.length) : `${key}_file`;
  if (own(holder, twin) !== undefined && sheet.at([...path.slice(0, -1), twin]).file !== location.file)
    delete holder[twin];
}
