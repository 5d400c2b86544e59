import { setTimeout } from 'node:timers/promises';
import type { Problem } from '../domain/problem.ts';
import type { Signature } from '../domain/signature.ts';
import type { PoolSettings } from '../scanner/generations.ts';
import { createPool } from '../scanner/pool.ts';
import type { Scanner } from '../scanner/scanner.ts';

/**
 * The scanner of a command. Its threads work as in the service: they prove the signatures or report problems. A
 * scanner that does not start counts as a problem as well, so that no command prints "sound" or "valid" when nothing
 * was checked.
 */
export interface Proven {
  /** The caller closes it. Null when there is no scanner that can judge. */
  readonly scanner: Scanner | null;
  readonly problems: readonly Problem[];
}

/**
 * Time for one text, including the engine's first pass over a new ruleset. It is generous: a command should rather
 * wait than get no answer.
 */
const TIMEOUT_MS = 10_000;
const PATIENCE_MS = 60_000;
const POLL_MS = 50;

const EVENTS = {
  worker: () => {},
  log: (message: string, reason: string) => console.error(`guard: ${message}: ${reason}`),
};

/** Starts a pool and waits until it is ready to scan. */
export async function provenScanner(
  signatures: readonly Signature[],
  settings: Omit<PoolSettings, 'timeoutMs'>,
): Promise<Proven> {
  const { scanner, problems } = await createPool(signatures, { ...settings, timeoutMs: TIMEOUT_MS }, EVENTS);
  const all = problems.length > 0 ? problems : await troubleOf(scanner);
  if (all.length === 0) return { scanner, problems: [] };
  await scanner.close();
  return { scanner: null, problems: all };
}

/** On a busy machine the threads may start late. The pool keeps trying, so it is enough to wait. */
async function troubleOf(scanner: Scanner): Promise<readonly Problem[]> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    if (scanner.health().scanner === null) return [];
    await setTimeout(POLL_MS);
  }
  const message = `the scanner does not start: ${scanner.health().scanner}`;
  return [{ file: 'signatures', line: 0, column: 0, path: '', message }];
}

/**
 * A scanner for the sound signatures. Unsound ones, whether their file or the engine refuses them, are set aside and
 * reported, and the rest is proven again. So all problems are found, and not only the first layer of them.
 */
export async function soundScanner(
  signatures: readonly Signature[],
  before: readonly Problem[],
  settings: Omit<PoolSettings, 'timeoutMs'>,
  setsAside: (problem: Problem) => boolean = () => true,
): Promise<Proven & { readonly signatures: number }> {
  const problems = [...before];
  const badFiles = new Set(before.map(({ file }) => file));
  let rest = signatures.filter(({ source }) => !badFiles.has(source.file));
  for (;;) {
    const made = await provenScanner(rest, settings);
    problems.push(...made.problems);
    if (made.scanner !== null) return { scanner: made.scanner, problems, signatures: rest.length };
    const bad = new Set(made.problems.filter(setsAside).map(placeOf));
    const left = rest.filter(({ source }) => !bad.has(placeOf(source)));
    // None of the problems is about a signature: another attempt would end in the same way.
    if (left.length === rest.length) return { scanner: null, problems, signatures: 0 };
    rest = left;
  }
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}
