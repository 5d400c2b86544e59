import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { SLOWEST_MB_PER_SECOND } from '../domain/cost.ts';
import { measureCosts } from '../scanner/cost.ts';
import { judgeBenign } from './benign.ts';
import { EXIT, misuse, type Arguments } from './command.ts';
import { createProgress } from './progress.ts';
import { sayWithCures } from './signature-cures.ts';
import { asJson, summary } from './signatures-lint.ts';
import { prove } from './signatures-proof.ts';
import { benignFailures, benignTable, costFailures, costTable } from './signatures-test-report.ts';

/** Lints signatures and measures them: how fast hostile text is scanned, and how many benign texts are blocked. */
export async function testSignatures(args: Arguments, paths: readonly string[]): Promise<number> {
  const slowest = numberOf(args, 'slowest') ?? SLOWEST_MB_PER_SECOND;
  const mostBlocked = numberOf(args, 'most-blocked') ?? 0;
  const folder = args.text('benign');
  // Checked before the run, which may take minutes.
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw misuse('--benign needs a folder that is there');
  const proved = await prove(args, paths, Math.min(8, availableParallelism()));
  if (proved === null) return EXIT.config;
  const { config, signatures, own, problems, scanner } = proved;
  const json = args.has('json');
  if (!json) sayWithCures(problems);
  if (!json) console.log(summary(proved));
  if (scanner === null) {
    if (json) console.log(JSON.stringify(asJson(proved), null, 2));
    return EXIT.failure;
  }

  const progress = createProgress();
  const wanted = own.map(({ id }) => id);
  try {
    const measured = await measureCosts(signatures, wanted, (done) => progress.at('measured', done, wanted.length));
    progress.end();
    const costs = [...measured].sort((a, b) => a.mbPerSecond - b.mbPerSecond);
    if (!json) console.log(`\n${costTable(costs, slowest)}`);
    const judged =
      folder === undefined
        ? null
        : await judgeBenign(scanner, config.policy, folder, (texts) => progress.at('benign texts', texts, null));
    progress.end();
    if (!json && judged !== null) console.log(`\n${benignTable(judged)}`);
    const failures = [...costFailures(costs, slowest), ...(judged === null ? [] : benignFailures(judged, mostBlocked))];
    if (json) console.log(JSON.stringify({ ...asJson(proved), slowest, costs, benign: judged, failures }, null, 2));
    else
      console.log(`\n${failures.length === 0 ? 'all is well' : failures.map((line) => `failed: ${line}`).join('\n')}`);
    return failures.length === 0 ? EXIT.ok : EXIT.failure;
  } catch (error) {
    progress.end();
    console.error(`guard: the test did not end: ${error instanceof Error ? error.message : 'unknown'}`);
    return EXIT.failure;
  } finally {
    await scanner.close();
  }
}

function numberOf(args: Arguments, flag: string): number | null {
  const given = args.text(flag);
  if (given === undefined) return null;
  const number = Number(given);
  if (!Number.isFinite(number) || number < 0) throw misuse(`--${flag} takes a number, 0 or above`);
  return number;
}
