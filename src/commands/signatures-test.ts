import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { SLOWEST_MB_PER_SECOND } from '../domain/cost.ts';
import type { SignatureCost } from '../domain/cost.ts';
import { measureCosts } from '../scanner/cost.ts';
import { judgeBenign } from './benign.ts';
import type { Judged } from './benign.ts';
import { EXIT, misuse, type Arguments } from './command.ts';
import { createProgress } from './progress.ts';
import { asJson, sayProblems, summary } from './signatures-lint.ts';
import { prove } from './signatures-proof.ts';

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
  if (!json) sayProblems(problems);
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

const MOST_ROWS = 20;

function costTable(costs: readonly SignatureCost[], slowest: number): string {
  const shown = costs.slice(0, MOST_ROWS);
  const width = Math.max('signature'.length, ...shown.map((cost) => nameOf(cost).length));
  const rows = shown.map((cost) => {
    const mark = cost.mbPerSecond < slowest ? ' <' : '  ';
    return `${cost.mbPerSecond.toFixed(1).padStart(8)}${mark}  ${nameOf(cost).padEnd(width)}  ${cost.kind}`;
  });
  const rest = costs.slice(MOST_ROWS);
  return [
    `Hostile text against each signature, slowest first; one thread, best of three; < is below ${slowest} MB/s`,
    `    MB/s    ${'signature'.padEnd(width)}  kind of text`,
    ...rows,
    ...(rest.length === 0
      ? []
      : [`          and ${rest.length} more, up to ${rest.at(-1)!.mbPerSecond.toFixed(1)} MB/s`]),
  ].join('\n');
}

function nameOf({ signature }: SignatureCost): string {
  return signature ?? '(all of them)';
}

function benignTable(judged: Judged): string {
  const { texts, characters, blocked, warned, places, bySignature } = judged;
  const found = Object.entries(bySignature).sort((a, b) => b[1] - a[1]);
  const share = (count: number): string => (texts === 0 ? '' : ` (${((100 * count) / texts).toFixed(2)} %)`);
  return [
    `Benign text: ${texts} texts, ${characters} characters`,
    `  blocked when sent by a client      ${blocked.request}${share(blocked.request)}`,
    `  blocked when answered by a model   ${blocked.response}${share(blocked.response)}`,
    `  warned about, either way           ${warned}${share(warned)}`,
    ...(found.length === 0 ? [] : ['', '   texts  found in them']),
    ...found.slice(0, MOST_ROWS).map(([id, count]) => `${String(count).padStart(8)}  ${id}`),
    ...(places.length === 0 ? [] : ['', '  blocked, the first of them:']),
    ...places.map(({ place, direction, category, name, confidence }) => {
      return `  ${place}  ${direction}  ${category}  ${name}  ${confidence.toFixed(2)}`;
    }),
  ].join('\n');
}

function costFailures(costs: readonly SignatureCost[], slowest: number): string[] {
  const slow = costs.filter(({ mbPerSecond }) => mbPerSecond < slowest);
  if (slow.length === 0) return [];
  return [
    `${slow.length} of ${costs.length} hostile texts are scanned below ${slowest} MB/s, the slowest at ${slow[0]!.mbPerSecond.toFixed(1)}`,
  ];
}

function benignFailures({ texts, blocked, unread, unreadCount }: Judged, mostBlocked: number): string[] {
  const worst = Math.max(blocked.request, blocked.response);
  return [
    ...(texts === 0 ? ['the folder holds no text: .txt files, or .jsonl files with a text a line'] : []),
    ...(worst > mostBlocked ? [`${worst} of ${texts} benign texts would be blocked; ${mostBlocked} may be`] : []),
    ...(unreadCount > 0
      ? [`${unreadCount} texts were not judged: ${unread.map(({ place, reason }) => `${place} ${reason}`).join(', ')}`]
      : []),
  ];
}
