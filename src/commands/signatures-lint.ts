import type { Signature } from '../domain/signature.ts';
import { CATEGORIES } from '../domain/verdict.ts';
import { EXIT, type Arguments } from './command.ts';
import { cureOf, sayWithCures } from './signature-cures.ts';
import { prove } from './signatures-proof.ts';
import type { Proved } from './signatures-proof.ts';

/** Checks that signatures can be read and compiled and agree with their examples. */
export async function lint(args: Arguments, paths: readonly string[]): Promise<number> {
  const proved = await prove(args, paths, 1);
  if (proved === null) return EXIT.config;
  await proved.scanner?.close();
  if (args.has('json')) console.log(JSON.stringify(asJson(proved), null, 2));
  else sayWithCures(proved.problems);
  if (!args.has('json')) console.log(summary(proved));
  return proved.problems.length > 0 ? EXIT.failure : EXIT.ok;
}

export function asJson({ signatures, problems, seconds }: Proved): Record<string, unknown> {
  return {
    signatures: signatures.length,
    categories: countsOf(signatures),
    seconds: Math.round(seconds * 100) / 100,
    problems: problems.map((problem) => ({ ...problem, cure: cureOf(problem) })),
  };
}

export function summary({ signatures, problems, seconds }: Proved): string {
  const counts = Object.entries(countsOf(signatures)).map(([category, count]) => `${count} ${category}`);
  const time = `${seconds.toFixed(1)} s`;
  if (problems.length === 0) return `${signatures.length} signatures are sound: ${counts.join(', ')} (${time})`;
  return `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${signatures.length} signatures (${time})`;
}

function countsOf(signatures: readonly Signature[]): Record<string, number> {
  return Object.fromEntries(
    CATEGORIES.map((name) => [name, signatures.filter(({ category }) => category === name).length]),
  );
}
