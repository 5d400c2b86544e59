import { lstatSync, readFileSync } from 'node:fs';
import { dirname, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Problem } from '../domain/problem.ts';
import { cautions, disagreements } from './agreement.ts';
import { complaintsOf, type Complaint } from './complaint.ts';
import type { Config } from './config.ts';
import { applyEnvironment, applyFlags } from './overrides.ts';
import { createSheet } from './sheet.ts';
import type { Sheet } from './sheet.ts';
import { readText } from '../read-text.ts';
import { readYaml } from './read-yaml.ts';
import { resolve } from './resolve.ts';
import { schema } from './schema.ts';
import type { Settings } from './schema.ts';
import { readSecretFiles } from './secret-files.ts';
import { pathText } from './shape.ts';
import { table } from './table.ts';
import { remember } from './with-policy.ts';

/** `file` is the file that was read, for the code that watches it for changes. */
export type Loaded =
  | {
      readonly file: string;
      readonly config: Config;
      readonly problems: readonly [];
      readonly warnings: readonly Problem[];
      /** Adds to a later problem where its setting was given: in the file, the environment or the flags. */
      readonly placed: (complaint: Complaint) => Problem;
    }
  | {
      readonly file: string;
      readonly config: null;
      readonly problems: readonly Problem[];
      readonly warnings: readonly Problem[];
    };

export interface Sources {
  readonly env: NodeJS.ProcessEnv;
  /** Dotted paths and their values as text: `{ 'server.port': '9090' }`. */
  readonly flags?: Readonly<Record<string, string>>;
}

const MAX_BYTES = 1_048_576;
const SECRETS = [
  ['control_plane', 'api_key'],
  ['rate_limit', 'store'],
] as const;
const MAX_PROBLEMS = 100;
/** The configuration file of the container image. Mounting a file there replaces it. */
const CONTAINER_FILE = '/etc/guard/config.yaml';

/** The file that ships with the package. */
export function defaultConfigFile(): string {
  return fileURLToPath(new URL('default.yaml', import.meta.url));
}

/**
 * The given file, else the container's file, else the bundled one. Whoever reads it again must not ask again: the
 * container's file may be away for the moment in which it is replaced, and the bundled one asks for no keys.
 */
export function configFile(given: string | undefined): string {
  return given ?? (isAbsent(CONTAINER_FILE) ? defaultConfigFile() : CONTAINER_FILE);
}

/** A file that cannot be reached, or a link that leads nowhere, is there: the reason is told when it is read. */
function isAbsent(file: string): boolean {
  try {
    lstatSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * `again` for a reload. An empty file means the defaults, which ask for no keys, and at a start somebody may want just
 * these. In a running proxy it is a file that somebody is about to write, or could not because the disk is full.
 */
export function loadConfig(
  options: Sources & { readonly file?: string | undefined; readonly again?: boolean },
): Loaded {
  const file = configFile(options.file);
  const read = readText(file, MAX_BYTES);
  const isEmptied = options.again === true && read.text?.trim() === '';
  if (read.text !== null && !isEmptied) return parseConfig(read.text, { ...options, file });
  const message = read.problem ?? 'is empty; write {} where the defaults are meant';
  return { file, config: null, problems: [{ file, line: 0, column: 0, path: '', message }], warnings: [] };
}

/**
 * Combines defaults, the text, the environment and flags; later ones override earlier ones. Reports the problems of
 * all of them at once.
 */
export function parseConfig(text: string, { file, env, flags = {} }: Sources & { readonly file: string }): Loaded {
  const sheet = createSheet(file);
  const folder = dirname(resolvePath(file));
  if (text.length > MAX_BYTES) {
    sheet.complain([], `larger than ${MAX_BYTES} bytes`);
    return refused(sheet, file);
  }
  const mentioned = readYaml(text, file, env, sheet);
  if (mentioned === null) return refused(sheet, file);
  if ((sheet.raw['upstreams'] ?? null) === null) takeShippedUpstreams(sheet, env);
  const foreign = applyEnvironment(sheet, env, mentioned);
  applyFlags(sheet, flags);
  readSecretFiles(sheet, folder, SECRETS);

  const sections = check(sheet);
  for (const { path, message } of disagreements(sections)) sheet.complain(path, message);
  if (sheet.problems.length > 0) return refused(sheet, file);

  const settings = sections as Settings;
  const placed = ({ path, message }: Complaint): Problem => {
    const { line, column, ...location } = sheet.at(path);
    return { file: location.file, line, column, path: location.name ?? pathText(path), message };
  };
  const config = resolve(settings, folder);
  remember(config, { settings, folder });
  const warnings = [...foreign, ...cautions(settings, Date.now()).map(placed)];
  return { file, config, problems: [], warnings, placed };
}

/**
 * A file that says nothing of upstreams has those of the shipped one: whoever mounts two lines about failures has not
 * asked for a proxy that forwards nothing. `upstreams: {}` asks for that.
 */
function takeShippedUpstreams(sheet: Sheet, env: NodeJS.ProcessEnv): void {
  const file = defaultConfigFile();
  const raw = table();
  const note: Sheet['note'] = (path, where) => {
    if (path[0] === 'upstreams') sheet.note(path, where);
  };
  readYaml(readFileSync(file, 'utf8'), file, env, { ...sheet, raw, note });
  sheet.raw['upstreams'] = raw['upstreams'];
}

/** Validates section by section, so that a wrong port does not prevent the rules about keys from being checked. */
function check(sheet: Sheet): Partial<Settings> {
  const sections: Record<string, unknown> = {};
  for (const [name, section] of Object.entries(schema.shape)) {
    const result = z.safeParse(section, sheet.raw[name], { reportInput: true });
    if (result.success) {
      sections[name] = result.data;
      continue;
    }
    for (const issue of result.error.issues) {
      for (const { path, message } of complaintsOf(section, issue as z.core.$ZodIssue))
        sheet.complain([name, ...path], message);
    }
  }
  return sections;
}

function refused(sheet: Sheet, file: string): Loaded {
  const problems = sheet.problems.sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = problems.slice(0, MAX_PROBLEMS);
  if (problems.length > shown.length) {
    shown.push({ file, line: 0, column: 0, path: '', message: `and ${problems.length - shown.length} problems more` });
  }
  return { file, config: null, problems: shown, warnings: [] };
}
