/**
 * `npm run bench -- [PART ...] [--rounds N ...]` runs the parts, prints a table for each, and writes records to
 * bench/results/. The commands below work on existing records.
 */
import { parseArgs } from 'node:util';
import { guardRecords, sayBudgets, writeReport } from './commands.ts';
import { benchDetect, CORPORA, detectTable } from './detect.ts';
import { benchPeers, PEERS_DEFAULTS } from './peers.ts';
import { benchFleet, FLEET_DEFAULTS, fleetTable } from './fleet.ts';
import { benchProxy, PROXY_DEFAULTS, raceTable } from './proxy.ts';
import { thisMachine, writeRecord } from './record.ts';
import type { PartName } from './records.ts';
import { benchScale, SCALE_DEFAULTS } from './scale.ts';
import { scaleTable } from './scale-table.ts';
import { benchScan, SCAN_DEFAULTS, scanTable } from './scan.ts';
import { benchStream, STREAM_DEFAULTS, streamTable } from './stream.ts';

interface Flags {
  readonly only: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly corpora: string;
}

interface Part {
  readonly says: string;
  /** Null when something that the part needs is missing, which has been printed. */
  readonly run: (flags: Flags) => Promise<{ results: unknown; text: string } | null>;
}

const PARTS: Readonly<Record<string, Part>> = {
  detect: {
    says: `recall and false positives on labelled texts (--corpora FOLDER, else ${CORPORA})`,
    async run({ only, corpora }) {
      const results = await benchDetect(corpora, only);
      if (results === null) console.log(`\ndetect is skipped: there is no folder ${corpora}`);
      return results === null ? null : { results, text: detectTable(results) };
    },
  },
  peers: {
    says: 'the same beside other gateways, which are fetched for it',
    async run({ only, numbers }) {
      const results = await benchPeers({ ...PEERS_DEFAULTS, ...numbers, only });
      return { results, text: raceTable(results) };
    },
  },
  fleet: {
    says: 'what instances and their events cost a control plane (on the PostgreSQL of GUARD_BENCH_POSTGRES)',
    async run({ numbers }) {
      const results = await benchFleet({ ...FLEET_DEFAULTS, ...numbers });
      if (results === null) console.log('\nfleet is skipped: GUARD_BENCH_POSTGRES names no database');
      return results === null ? null : { results, text: fleetTable(results) };
    },
  },
  proxy: {
    says: 'CPU and latency of a proxied 2 KB chat call, by contestant',
    async run({ only, numbers }) {
      const results = await benchProxy({ ...PROXY_DEFAULTS, ...numbers, only });
      return { results, text: raceTable(results) };
    },
  },
  scale: {
    says: 'how cost grows with bodies, callers, signatures and history, and how little memory it takes',
    async run({ only, numbers }) {
      const results = await benchScale({ ...SCALE_DEFAULTS, ...numbers, only });
      return { results, text: scaleTable(results) };
    },
  },
  scan: {
    says: 'MB/s of a scanning thread on benign text, on the slowest that a search finds, and on bombs',
    async run({ only, numbers }) {
      const results = await benchScan({ ...SCAN_DEFAULTS, ...numbers, only });
      return { results, text: scanTable(results) };
    },
  },
  stream: {
    says: 'CPU of an event, time to the first byte and memory of streamed answers, by mode',
    async run({ only, numbers }) {
      const results = await benchStream({ ...STREAM_DEFAULTS, ...numbers, only });
      return { results, text: streamTable(results) };
    },
  },
};

const COMMANDS = {
  report: 'draws the newest record of each part: one page, and one file of tables (--from FOLDER, --out FOLDER)',
  budgets: 'says which promises the newest records hold (--from FOLDER)',
  guard:
    'runs what has a committed record again, and fails where a ratio is 15 % worse (--from FOLDER, --fresh FOLDER)',
} as const;

const NUMBERS = ['rounds', 'requests', 'connections', 'rate', 'seconds'] as const;
const TEXTS = ['only', 'out', 'corpora', 'from', 'fresh'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    ...Object.fromEntries([...NUMBERS, ...TEXTS].map((name) => [name, { type: 'string' as const }])),
  },
}) as { values: Record<string, string | boolean | undefined>; positionals: string[] };

const [first] = positionals;
const command = first !== undefined && Object.hasOwn(COMMANDS, first) ? (first as keyof typeof COMMANDS) : null;
const asked = command === null ? positionals : positionals.slice(1);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (values['help'] === true || unknown.length > 0) {
  for (const name of unknown) console.error(`no part is called ${name}`);
  console.error(
    'npm run bench -- [PART ...] [--only NAME,NAME] [--out FOLDER] [--corpora FOLDER] ' +
      NUMBERS.map((name) => `[--${name} N]`).join(' '),
  );
  for (const [name, { says }] of Object.entries(PARTS)) console.error(`  ${name.padEnd(8)} ${says}`);
  for (const [name, says] of Object.entries(COMMANDS)) console.error(`  ${name.padEnd(8)} ${says}`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const numbers: Record<string, number> = {};
for (const name of NUMBERS) {
  const given = values[name];
  if (given === undefined) continue;
  const number = Number(given);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} takes a number, not ${String(given)}`);
  numbers[name] = number;
}

function given(name: (typeof TEXTS)[number]): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

const RESULTS = 'bench/results';
const flags: Flags = { only: given('only')?.split(',') ?? [], numbers, corpora: given('corpora') ?? CORPORA };
const from = given('from') ?? RESULTS;

async function runParts(): Promise<void> {
  const out = given('out');
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    const machine = thisMachine();
    const done = await PARTS[name]!.run(flags);
    if (done === null) continue;
    const { results, text } = done;
    const { cpu, cores, node, load } = machine;
    console.log(`\n## ${name}\n\n${cpu}, ${cores} cores, Node ${node}, load before ${load}\n\n${text}\n`);
    // A partial record would replace the complete one of the same day.
    if (flags.only.length > 0 && out === null)
      console.log('not written, being a part of a part: --out FOLDER writes it');
    else console.log(`written to ${writeRecord(out ?? RESULTS, name, machine, results)}`);
  }
  if (asked.length !== 1) console.log(`\n${sayBudgets(out ?? RESULTS)}`);
}

try {
  if (command === 'report')
    for (const file of writeReport(from, given('out') ?? from)) console.log(`written to ${file}`);
  else if (command === 'budgets') console.log(sayBudgets(from));
  else if (command === 'guard') {
    const parts = (asked.length > 0 ? asked : Object.keys(PARTS)) as PartName[];
    const run = async (part: PartName): Promise<unknown> => (await PARTS[part]!.run(flags))?.results ?? null;
    const { text, failed } = await guardRecords(from, parts, given('fresh'), run);
    console.log(text);
    if (failed) process.exitCode = 1;
  } else await runParts();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
