import { resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Problem, Signature } from '../domain/signature.ts';
import { createPool } from '../scanner/pool.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import type { Arguments } from './command.ts';
import { configFor } from './config-flags.ts';
import { preciselyPlaced } from './signature-place.ts';

/** Signatures as the proxy would load them, held against their examples in the threads that would use them. */
export interface Proved {
  readonly config: Config;
  readonly signatures: readonly Signature[];
  /** Those of the files that were named; all where none was. */
  readonly own: readonly Signature[];
  readonly problems: readonly Problem[];
  /** Ready to judge texts; null where there are problems. The caller closes it. */
  readonly scanner: Scanner | null;
  readonly seconds: number;
}

/** Of a text, and of the engine's first pass over a new ruleset: an author waits rather than be told nothing. */
const TIMEOUT_MS = 10_000;

/** Null when the configuration is not valid, which has been said then. */
export async function prove(args: Arguments, paths: readonly string[], threads: number): Promise<Proved | null> {
  const loaded = await configFor(args);
  if (loaded === null) return null;
  const { config } = loaded;
  const startedAt = performance.now();
  // Files that are named stand in for those of a configuration that nobody named, and beside those of one that was.
  const configured = paths.length > 0 && args.text('config') === undefined ? [] : config.signatures.paths;
  // One that the configuration names as well is read once: else all that is in it would be there twice.
  const all = [...configured, ...paths.filter((path) => !configured.includes(resolve(path)))];
  const chosen = chosenSignatures({ paths: all, disabled: config.signatures.disabled });
  const { problems, scanner } = await proveAll(chosen.signatures, chosen.problems, threads);
  const own =
    paths.length === 0 ? chosen.signatures : chosen.signatures.filter(({ source }) => isIn(source.file, paths));
  return {
    config,
    signatures: chosen.signatures,
    own,
    problems: problems.map(preciselyPlaced),
    scanner,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/**
 * Everything that is wrong, and not the first layer of it: what a file's shape or the engine refuses is set aside, so that
 * the examples of the rest are still asked.
 */
async function proveAll(
  signatures: readonly Signature[],
  before: readonly Problem[],
  threads: number,
): Promise<{ problems: readonly Problem[]; scanner: Scanner | null }> {
  const problems = [...before];
  const badFiles = new Set(before.map(({ file }) => file));
  let rest = signatures.filter(({ source }) => !badFiles.has(source.file));
  for (;;) {
    const made = await createPool(rest, { threads, timeoutMs: TIMEOUT_MS, proof: 'whole' }, EVENTS);
    problems.push(...made.problems);
    const down = made.problems.length === 0 ? made.scanner.health().scanner : null;
    if (down !== null)
      problems.push({ file: 'signatures', line: 0, column: 0, path: '', message: `the scanner: ${down}` });
    if (problems.length === 0) return { problems, scanner: made.scanner };
    await made.scanner.close();
    const refused = new Set(made.problems.filter((problem) => !isOfExample(problem)).map(placeOf));
    const left = rest.filter(({ source }) => !refused.has(placeOf(source)));
    if (left.length === rest.length) return { problems, scanner: null };
    rest = left;
  }
}

export function isOfExample({ path }: Problem): boolean {
  return /\.(?:matches|ignores)\[\d+\]$/.test(path);
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}

function isIn(file: string, paths: readonly string[]): boolean {
  const full = resolve(file);
  return paths.some((path) => full === resolve(path) || full.startsWith(`${resolve(path)}${sep}`));
}

const EVENTS = {
  worker: () => {},
  log: (message: string, reason: string) => console.error(`guard: ${message}: ${reason}`),
};
