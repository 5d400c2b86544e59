import type { Config } from '../config/config.ts';
import type { Direction } from '../domain/job.ts';
import { jobOfText } from '../domain/lone-text.ts';
import type { Role } from '../domain/passage.ts';
import { scansRequestsForSecrets } from '../domain/policy.ts';
import type { Problem } from '../domain/problem.ts';
import { judge, type Judged } from '../eval/judge.ts';
import type { Labelled } from '../eval/labelled.ts';
import type { CorpusRun, EvalRun } from '../eval/record.ts';
import type { Scanner } from '../scanner/scanner.ts';
import { chosenSignatures } from '../signatures/choose.ts';
import { rowsOf, surveyOf, type Corpus } from './eval-corpora.ts';
import { eachAtOnce } from './each-at-once.ts';
import type { Progress } from './progress.ts';
import { soundScanner } from './proving.ts';

export interface EvalSettings {
  readonly threads: number;
  readonly role: Role | null;
  readonly direction: Direction | null;
  /** About the largest number of rows to judge per corpus, spread evenly over it. */
  readonly sample: number | null;
  /** Called for each judged row, in the order of the file. */
  readonly look: (corpus: Corpus, row: Labelled, judged: Judged) => void;
}

/** Enough to keep every thread busy, and few enough that the waiting texts fit into memory and into the pool. */
const AT_ONCE = 16;
const MOST_NAMED = 5;

/** Judges the corpora on scanning threads and by the policy, as the service would. */
export async function measure(
  corpora: readonly Corpus[],
  config: Config,
  settings: EvalSettings,
  progress: Progress,
): Promise<{ readonly run: EvalRun | null; readonly problems: readonly Problem[] }> {
  const surveys = [];
  for (const corpus of corpora) surveys.push({ corpus, ...(await surveyOf(corpus.file)) });
  // Someone who is writing signatures has some that are unfinished. They are left out, which is reported and fails
  // the run.
  const chosen = chosenSignatures(config.signatures);
  const { scanner, signatures, problems } = await soundScanner(chosen.signatures, chosen.problems, {
    threads: settings.threads,
    likeness: config.scanner.likeness,
  });
  if (scanner === null) return { run: null, problems };
  try {
    const all = surveys.reduce((sum, { rows }) => sum + Math.ceil(rows / strideOf(rows, settings.sample)), 0);
    let done = 0;
    const step = (): void => progress.at('judged', (done += 1), all);
    const runs: CorpusRun[] = [];
    for (const { corpus, rows, sensitive } of surveys) {
      const direction = settings.direction ?? (sensitive ? 'response' : 'request');
      const stride = strideOf(rows, settings.sample);
      runs.push(await evaluate(scanner, corpus, { config, settings, direction, stride, step }));
    }
    const run: EvalRun = {
      version: 1,
      at: new Date().toISOString(),
      role: settings.role,
      sensitivity: config.policy.sensitivity,
      signatures,
      corpora: runs,
    };
    return { run, problems };
  } finally {
    progress.end();
    await scanner.close();
  }
}

function strideOf(rows: number, sample: number | null): number {
  return sample === null ? 1 : Math.max(1, Math.ceil(rows / sample));
}

/** How one corpus is judged. */
interface CorpusPlan {
  readonly config: Config;
  readonly settings: EvalSettings;
  readonly direction: Direction;
  readonly stride: number;
  readonly step: () => void;
}

async function evaluate(scanner: Scanner, corpus: Corpus, plan: CorpusPlan): Promise<CorpusRun> {
  const { settings, direction, stride, step } = plan;
  const { policy } = plan.config;
  const sensitive = scansRequestsForSecrets(policy);
  const judged: (Judged | null)[] = [];
  const looks: (() => void)[] = [];
  const unread = { count: 0, first: [] as string[] };
  const leaveOut = (place: string, reason: string): void => {
    unread.count += 1;
    if (unread.first.length < MOST_NAMED) unread.first.push(`${place} ${reason}`);
  };

  let characters = 0;
  const begin = process.cpuUsage();
  await eachAtOnce(everyNth(rowsOf(corpus.file), stride), AT_ONCE, async (read) => {
    step();
    if (read.kind === 'unread') {
      leaveOut(read.place, read.reason);
      return;
    }
    const { row, place } = read;
    characters += row.text.length;
    const index = judged.push(null) - 1;
    const role = settings.role ?? row.role ?? 'user';
    const outcome = await scanner.scan(jobOfText(row.text, direction, role, sensitive));
    const result = judge(policy, row, outcome, direction);
    judged[index] = result;
    if (result === null) leaveOut(place, `was not scanned: ${outcome.kind}`);
    else looks[index] = () => settings.look(corpus, row, result);
  });
  const { user, system } = process.cpuUsage(begin);
  for (const look of looks) look?.();
  return {
    name: corpus.name,
    direction,
    measuredOnly: corpus.measuredOnly,
    characters,
    cpuMs: Math.round((user + system) / 1000),
    rows: judged.filter((row) => row !== null),
    unread,
  };
}

async function* everyNth<Item>(items: AsyncIterable<Item>, stride: number): AsyncGenerator<Item> {
  let at = 0;
  for await (const item of items) {
    if (at % stride === 0) yield item;
    at += 1;
  }
}
