import { setTimeout } from 'node:timers/promises';
import type { Problem, Signature } from '../domain/signature.ts';
import { createPool, type PoolSettings } from '../scanner/pool.ts';
import type { Scanner } from '../scanner/scanner.ts';

/**
 * The scanner of a command: threads as the service has them, which have proven the signatures or say what is wrong. One that does
 * not come up is a problem like any other: nobody should read "sound" or "valid" where nothing was asked.
 */
export interface Proven {
  /** The caller closes it. Null where there is none that could judge. */
  readonly scanner: Scanner | null;
  readonly problems: readonly Problem[];
}

/** Of a text, and of the engine's first pass over a new ruleset: who asked waits rather than be told nothing. */
const TIMEOUT_MS = 10_000;
const PATIENCE_MS = 60_000;
const POLL_MS = 50;

const EVENTS = {
  worker: () => {},
  log: (message: string, reason: string) => console.error(`guard: ${message}: ${reason}`),
};

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

/** On a busy machine the threads may come late; the pool goes on trying, so that waiting is enough. */
async function troubleOf(scanner: Scanner): Promise<readonly Problem[]> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    if (scanner.health().scanner === null) return [];
    await setTimeout(POLL_MS);
  }
  const message = `the scanner does not start: ${scanner.health().scanner}`;
  return [{ file: 'signatures', line: 0, column: 0, path: '', message }];
}

/**
 * The scanner of those that are sound. What is not, by its file or by the engine, is set aside and said, so that the rest is still
 * asked: all that is wrong, and not the first layer of it.
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
    // Of something else than a signature: it would be the same again.
    if (left.length === rest.length) return { scanner: null, problems, signatures: 0 };
    rest = left;
  }
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}
