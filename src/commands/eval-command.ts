import { availableParallelism } from 'node:os';
import { chart } from '../eval/chart.ts';
import { compareRuns } from '../eval/compare.ts';
import { curveOf } from '../eval/curve.ts';
import type { FloorFile } from '../eval/floor-file.ts';
import { floorsFromRun } from '../eval/floors-from-run.ts';
import { brokenFloors, rowsUnder } from '../eval/floors.ts';
import { markedRun, marksOf } from '../eval/marks.ts';
import type { EvalRun } from '../eval/record.ts';
import { compareReport, confidenceReport, curveReport, floorReport, MOST_IDS } from '../eval/report.ts';
import { corpusTable, groupTable, signatureTable, subtypeTable } from '../eval/table.ts';
import { EXIT, type Arguments } from './command.ts';
import { configFor } from './config-flags.ts';
import { chosenCorpora } from './eval-corpora.ts';
import { earlierFiles, mustBeWritable, writeResult, type EarlierFiles } from './eval-files.ts';
import { lookFor } from './eval-look.ts';
import type { EvalOptions } from './eval-options.ts';
import { measure } from './eval-run.ts';
import { createProgress } from './progress.ts';
import { sayProblems } from './say-problems.ts';

const MOST_SIGNATURES = 20;

/**
 * Runs `guard eval`: measures the corpora, prints the tables, and compares the figures with floors or with an earlier
 * run.
 */
export async function runEval(args: Arguments, options: EvalOptions): Promise<number> {
  const corpora = chosenCorpora(args);
  mustBeWritable(args);
  const earlier = earlierFiles(args);
  const loaded = await configFor(args);
  if (loaded === null) return EXIT.config;
  const { config } = loaded;

  const progress = createProgress();
  const threads = options.threads ?? Math.min(8, availableParallelism());
  const look = lookFor(args);
  const measured = await measure(corpora, config, { ...options, threads, look: look.see }, progress);
  sayProblems(measured.problems);
  const { run } = measured;
  if (run === null) return EXIT.config;
  look.say();
  printTables(args, options, run);
  if (args.has('confidences')) console.log(`\n${confidenceReport(run.corpora, config.policy)}`);
  if (earlier.run !== null) console.log(`\n${compareReport(compareRuns(earlier.run.corpora, run.corpora))}`);
  const failures = failuresOf(run, measured.problems.length);
  for (const failure of failures) console.error(`failed: ${failure}`);
  const written = [
    saveRun(args, run),
    // Floors from an incomplete run would be too low: every later run would pass.
    failures.length > 0 || writeFloors(args, run, earlier),
  ];
  const isWell = floorsHold(args, run, earlier) && failures.length === 0 && !written.includes(false);
  return isWell ? EXIT.ok : EXIT.failure;
}

function printTables(args: Arguments, { depth }: EvalOptions, run: EvalRun): void {
  const parts = [
    corpusTable(run),
    ...(args.has('subtypes') || depth !== null ? [subtypeTable(run, depth ?? undefined)] : []),
    curveReport(run.corpora),
    signatureTable(run, args.has('signatures') ? Infinity : MOST_SIGNATURES),
  ];
  console.log(parts.filter((part) => part !== '').join('\n\n'));
}

function saveRun(args: Arguments, run: EvalRun): boolean {
  const [json, svg] = [args.text('json'), args.text('svg')];
  const written = [
    json === undefined || writeResult(json, `${JSON.stringify(run)}\n`),
    svg === undefined || writeResult(svg, chartOf(run)),
  ];
  return !written.includes(false);
}

/** Returns false, like `saveRun`, when they could not be written. */
function writeFloors(args: Arguments, run: EvalRun, { overwritten }: EarlierFiles): boolean {
  const file = args.text('write-floors');
  if (file === undefined) return true;
  const content: FloorFile = {
    floors: floorsFromRun(run.corpora, overwritten?.floors ?? []),
    marks: { ...overwritten?.marks, ...marksOf(run.corpora) },
  };
  return writeResult(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The curve of the requests. That of the responses is drawn only when no requests were measured. */
function chartOf({ corpora, sensitivity }: EvalRun): string {
  const requests = curveOf(corpora, 'request');
  const points = requests.length > 0 ? requests : curveOf(corpora, 'response');
  return chart(points, sensitivity, 'Recall and false positives over the sensitivity');
}

function floorsHold(args: Arguments, { corpora }: EvalRun, { floors: given }: EarlierFiles): boolean {
  if (given === null) return true;
  // When only some corpora are measured, the floors of the others do not apply.
  const some = args.list('only').length + args.list('without').length > 0;
  const floors = some ? given.floors.filter((floor) => rowsUnder(floor, corpora).length > 0) : given.floors;
  const broken = brokenFloors(floors, corpora);
  console.log(`\n${groupTable(floors, corpora)}`);
  console.log(`\n${floorReport(broken, floors.length)}`);
  const moved = compareRuns(markedRun(given.marks, corpora), corpora);
  if (broken.length > 0 && moved.length > 0)
    console.log(`\nSince the floors were written:\n\n${compareReport(moved, MOST_IDS)}`);
  return broken.length === 0;
}

/** Unread texts are failures: they must not pass for clean ones. */
function failuresOf({ corpora }: EvalRun, problems: number): string[] {
  const left = problems === 0 ? [] : [`signatures were left out, because of ${problems} problems`];
  return corpora.reduce((failures, { name, rows, unread }) => {
    if (unread.count > 0) failures.push(`${unread.count} texts of ${name} were not judged: ${unread.first.join('; ')}`);
    else if (rows.length === 0) failures.push(`${name} holds no text`);
    return failures;
  }, left);
}
