/** `npm run bench -- [PART ...] [--rounds N ...]`: runs the parts, prints a table each, and writes bench/results/. */
import { parseArgs } from 'node:util';
import { benchDetect, CORPORA, detectTable } from './detect.ts';
import { benchPeers, PEERS_DEFAULTS } from './peers.ts';
import { benchProxy, PROXY_DEFAULTS, raceTable } from './proxy.ts';
import { thisMachine, writeRecord } from './record.ts';
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
  /** Null: what it needs is not here, which has been said. */
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

const NUMBERS = ['rounds', 'requests', 'connections', 'rate', 'seconds'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    only: { type: 'string' },
    out: { type: 'string' },
    corpora: { type: 'string' },
    ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'string' as const }])),
  },
}) as { values: Record<string, string | boolean | undefined>; positionals: string[] };

const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
if (values['help'] === true || unknown.length > 0) {
  for (const name of unknown) console.error(`no part is called ${name}`);
  console.error(
    'npm run bench -- [PART ...] [--only NAME,NAME] [--out FOLDER] [--corpora FOLDER] ' +
      NUMBERS.map((name) => `[--${name} N]`).join(' '),
  );
  for (const [name, { says }] of Object.entries(PARTS)) console.error(`  ${name.padEnd(8)} ${says}`);
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
const only = typeof values['only'] === 'string' ? values['only'].split(',') : [];
const corpora = typeof values['corpora'] === 'string' ? values['corpora'] : CORPORA;
const folder = typeof values['out'] === 'string' ? values['out'] : 'bench/results';

try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    const machine = thisMachine();
    const done = await PARTS[name]!.run({ only, numbers, corpora });
    if (done === null) continue;
    const { results, text } = done;
    const { cpu, cores, node, load } = machine;
    console.log(`\n## ${name}\n\n${cpu}, ${cores} cores, Node ${node}, load before ${load}\n\n${text}\n`);
    console.log(`written to ${writeRecord(folder, name, machine, results)}`);
  }
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
