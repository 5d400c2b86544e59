import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { realPath } from '../signatures/files.ts';
import type { Arguments } from './command.ts';
import { configFor } from './config-flags.ts';
import { soundScanner } from './proving.ts';
import { preciselyPlaced } from './signature-place.ts';
import { createWaitingLine } from './waiting-line.ts';

/** Signatures loaded as the proxy would load them, and proven against their examples on scanning threads. */
export interface Proved {
  readonly config: Config;
  readonly signatures: readonly Signature[];
  /** The signatures of the files that were named, or all when none was. */
  readonly own: readonly Signature[];
  readonly problems: readonly Problem[];
  /** Ready to scan; null when there are problems. The caller closes it. */
  readonly scanner: Scanner | null;
  readonly seconds: number;
}

/** Returns null when the configuration is invalid, after its problems were printed. */
export async function prove(args: Arguments, paths: readonly string[], threads: number): Promise<Proved | null> {
  const loaded = await configFor(args);
  if (loaded === null) return null;
  const { config } = loaded;
  const startedAt = performance.now();
  // Files that are named replace those of the default configuration, but add to those of a configuration given by
  // --config.
  const configured = paths.length > 0 && args.text('config') === undefined ? [] : config.signatures.paths;
  const all = [...configured, ...paths];
  const chosen = chosenSignatures({ paths: all, disabled: config.signatures.disabled });
  // A path that was mistyped is said at once, and so is that nothing of the named files can be read, instead of after
  // the proof of all other signatures.
  const missing = paths.filter((path) => !existsSync(path));
  const isNamed = within(paths);
  const refused = new Set(chosen.problems.map(({ file }) => file));
  const isReadable = ({ source: { file } }: Signature): boolean => !refused.has(file) && isNamed(file);
  const lost = missing.length > 0 || chosen.signatures.some(isReadable) ? missing : paths;
  const isLost = within(lost);
  const gone = chosen.problems.filter(({ file }) => isLost(file));
  if (gone.length > 0) {
    const seconds = (performance.now() - startedAt) / 1000;
    return { config, signatures: [], own: [], problems: gone.map(preciselyPlaced), scanner: null, seconds };
  }
  // Whoever has signatures of their own wants to know about those. The shipped ones were proven when they were built,
  // and what is written beside them is tested against their near misses, as it is when the proxy starts.
  const settings = all.length === 0 ? ({ threads, proof: 'whole' } as const) : { threads };
  const waiting = createWaitingLine(`proving ${chosen.signatures.length} signatures`);
  const sound = await soundScanner(
    chosen.signatures,
    chosen.problems,
    settings,
    (problem) => !isOfExample(problem),
  ).finally(waiting.end);
  const { problems } = sound;
  if (problems.length > 0) await sound.scanner?.close();
  const own = paths.length === 0 ? chosen.signatures : chosen.signatures.filter(({ source }) => isNamed(source.file));
  return {
    config,
    signatures: chosen.signatures,
    own,
    problems: problems.map(preciselyPlaced),
    scanner: problems.length > 0 ? null : sound.scanner,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Whether the problem is about an example (`matches[0]`, `ignores[2]`) rather than about the signature. */
export function isOfExample({ path }: Problem): boolean {
  return /\.(?:matches|ignores)\[\d+\]$/.test(path);
}

/** By real paths: a file that the configuration reaches by another name is known under that one. */
function within(paths: readonly string[]): (file: string) => boolean {
  const roots = paths.map(realPath);
  return (file) => {
    const full = realPath(file);
    return roots.some((root) => full === root || full.startsWith(`${root}${sep}`));
  };
}
