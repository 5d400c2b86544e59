/**
 * The cost of streamed answers: CPU per event, time to the first byte, and memory with many slow streams open.
 * Contestants take turns in every round, as in the benchmark of proxied calls, so that a burst of other work on the
 * machine affects all of them.
 */
import { markdown } from '../src/eval/markdown.ts';
import { startChild, type Child } from './process.ts';
import { createProgress } from './progress.ts';
import { percentile, spread, rotated, type Spread } from './statistics.ts';
import type { StreamResult, StreamTask } from './stream-load.ts';

export interface StreamSettings {
  readonly only: readonly string[];
  readonly rounds: number;
  /** The number of parallel streams, and the events of each, when CPU is measured. */
  readonly connections: number;
  readonly events: number;
  readonly everyMs: number;
  /** Calls per round when the time to the first byte is measured. */
  readonly requests: number;
  /** How long the slow streams are observed. With 0, none are opened. */
  readonly seconds: number;
  readonly slowStreams: number;
}

export const STREAM_DEFAULTS: StreamSettings = {
  only: [],
  rounds: 5,
  connections: 100,
  // An answer of two paragraphs. The figures include the scan of the request, which must not be most of them.
  events: 300,
  everyMs: 20,
  requests: 100,
  seconds: 20,
  slowStreams: 1000,
};

interface Row {
  readonly name: string;
  readonly cpu: Spread;
  readonly main: Spread | null;
  readonly ratio: Spread;
  readonly firstByte: { readonly p50: Spread; readonly p99: Spread };
  /** Extra milliseconds over the yardstick in the same round. */
  readonly added: { readonly p50: Spread; readonly p99: Spread };
}

export interface StreamResults {
  readonly settings: StreamSettings;
  readonly rows: readonly Row[];
  /** Resident memory in megabytes for each second with the slow streams open. */
  readonly memory: { readonly streams: number; readonly before: number; readonly mb: readonly number[] } | null;
}

const scanning = (mode: string): object => ({ scanner: { threads: 1, response: { enabled: true, mode } } });

const CONTESTANTS = {
  'bare-http-proxy': null,
  'guard-unscanned': { scanner: { enabled: false } },
  'guard-passthrough': scanning('passthrough'),
  'guard-buffered': scanning('buffered'),
  'guard-full': scanning('full'),
} satisfies Record<string, object | null>;

type Name = keyof typeof CONTESTANTS;
// After three rounds, the code of a thread that scans streams was only partly compiled: it took 17 us per event, and
// 12 us after 20 rounds.
const WARMING = 20;
const YARDSTICK: Name = 'bare-http-proxy';

interface Entrant {
  readonly name: Name;
  readonly prefix: string;
  readonly child: Child;
  readonly cpu: number[];
  readonly main: number[];
  readonly p50: number[];
  readonly p99: number[];
}

export async function benchStream(settings: StreamSettings): Promise<StreamResults> {
  const names = (Object.keys(CONTESTANTS) as Name[]).filter(
    (name) => settings.only.length === 0 || settings.only.includes(name) || name === YARDSTICK,
  );
  const upstream = await startChild('stream-upstream.js', {});
  const load = await startChild('stream-load.js', {});
  const entrants: Entrant[] = [];
  try {
    const progress = createProgress(names.length * (1 + WARMING + settings.rounds * 2) + 1);
    for (const name of names) {
      progress.step(`${name}: starting`);
      const child = await start(name, upstream.port);
      const prefix = CONTESTANTS[name] === null ? '' : '/llm-a';
      const entrant = { name, prefix, child, cpu: [], main: [], p50: [], p99: [] };
      entrants.push(entrant);
      await prove(entrant, load);
    }
    // Code that was just loaded is compiled for seconds, on threads whose time is counted, and is several times
    // slower until then.
    for (let round = 0; round < WARMING; round += 1) {
      for (const entrant of entrants) {
        progress.step(`${entrant.name}: warming`);
        await measureCpu(entrant, load, { ...settings, everyMs: settings.everyMs / 4 }, false);
      }
    }
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const entrant of rotated(entrants, round)) {
        progress.step(`${entrant.name}: CPU, round ${round + 1}`);
        await measureCpu(entrant, load, settings, true);
      }
      for (const entrant of rotated(entrants, round)) {
        progress.step(`${entrant.name}: first byte, round ${round + 1}`);
        await measureFirstByte(entrant, load, settings.requests);
      }
    }
    const yardstick = entrants.find(({ name }) => name === YARDSTICK)!;
    const rows = entrants.map((entrant) => rowOf(entrant, yardstick));
    progress.step('slow streams');
    const slow = entrants.find(({ name }) => name === 'guard-buffered');
    const memory = slow === undefined || settings.seconds === 0 ? null : await measureMemory(slow, load, settings);
    progress.end();
    return { settings, rows, memory };
  } finally {
    for (const { child } of entrants) await child.close();
    await load.close();
    await upstream.close();
  }
}

function start(name: Name, upstreamPort: number): Promise<Child> {
  const config: object | null = CONTESTANTS[name];
  if (config === null) return startChild('contestants/bare-http-proxy.js', { upstreamPort });
  const upstreams = { 'llm-a': { url: `http://127.0.0.1:${upstreamPort}`, wire: 'openai', max_sockets: 4000 } };
  return startChild('contestants/guard.js', { upstreamPort, config: { ...config, upstreams } });
}

/**
 * Verifies that a scanning contestant stops a secret and that the others answer. A scanner that does not start would
 * be fast, because it fails open.
 */
async function prove({ child, name, prefix }: Entrant, load: Child): Promise<void> {
  const scans = name !== YARDSTICK && name !== 'guard-unscanned';
  const { whole } = await ask(load, { kind: 'leak', port: child.port, prefix });
  if (scans !== (whole === 0)) throw new Error(`${name} ${scans ? 'lets a secret pass' : 'does not answer'}`);
}

async function measureCpu(entrant: Entrant, load: Child, settings: StreamSettings, counts: boolean): Promise<void> {
  const { child, name, prefix } = entrant;
  const { connections: streams, events, everyMs } = settings;
  const before = await child.usage();
  const result = await ask(load, { kind: 'read', port: child.port, prefix, streams, events, everyMs });
  const after = await child.usage();
  if (result.broken > 0) throw new Error(`${name} broke ${result.broken} of ${streams} streams`);
  if (!counts) return;
  const all = streams * events;
  entrant.cpu.push((after.user + after.system - before.user - before.system) / all);
  if (before.main !== null && after.main !== null) entrant.main.push((after.main - before.main) / all);
}

async function measureFirstByte({ child, name, prefix, p50, p99 }: Entrant, load: Child, calls: number): Promise<void> {
  const result = await ask(load, { kind: 'first-byte', port: child.port, prefix, calls });
  if (result.broken > 0) throw new Error(`${name} broke ${result.broken} of ${calls} streams`);
  p50.push(percentile(result.firstBytes, 50));
  p99.push(percentile(result.firstBytes, 99));
}

/** Memory with many open streams of two events per second each: the usage of a thousand readers when little happens. */
async function measureMemory({ child, prefix }: Entrant, load: Child, { seconds, slowStreams }: StreamSettings) {
  const before = (await child.usage()).rss / 2 ** 20;
  await ask(load, { kind: 'open', port: child.port, prefix, streams: slowStreams, everyMs: 500 });
  const mb: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    mb.push((await child.usage()).rss / 2 ** 20);
  }
  const { alive } = await ask(load, { kind: 'close' });
  return { streams: alive, before, mb };
}

function ask(load: Child, task: StreamTask): Promise<StreamResult> {
  return load.ask(task) as Promise<StreamResult>;
}

function rowOf({ name, cpu, main, p50, p99 }: Entrant, yardstick: Entrant): Row {
  return {
    name,
    cpu: spread(cpu),
    main: main.length === 0 ? null : spread(main),
    ratio: spread(cpu.map((value, round) => value / yardstick.cpu[round]!)),
    firstByte: { p50: spread(p50), p99: spread(p99) },
    added: {
      p50: spread(p50.map((value, round) => value - yardstick.p50[round]!)),
      p99: spread(p99.map((value, round) => value - yardstick.p99[round]!)),
    },
  };
}

export function streamTable({ rows, memory }: StreamResults): string {
  const cells = rows.map(({ name, cpu, main, ratio, firstByte, added }) => [
    name,
    cpu.median.toFixed(1),
    `${cpu.min.toFixed(1)} - ${cpu.max.toFixed(1)}`,
    main === null ? '' : main.median.toFixed(1),
    `${ratio.median.toFixed(2)}x`,
    `${ratio.min.toFixed(2)} - ${ratio.max.toFixed(2)}`,
    firstByte.p50.median.toFixed(2),
    firstByte.p99.median.toFixed(2),
    added.p50.median.toFixed(2),
    added.p99.median.toFixed(2),
  ]);
  const head = [
    'contestant',
    'us CPU an event',
    'min - max',
    'main',
    'ratio',
    'min - max',
    'first byte p50 ms',
    'p99',
    'added p50',
    'added p99',
  ];
  const lines = [markdown(head, cells)];
  if (memory !== null) {
    const every = memory.mb.filter((_, second) => second % 5 === 4 || second === memory.mb.length - 1);
    lines.push(
      `\n${memory.streams} slow streams, buffered: ${memory.before.toFixed(0)} MB resident before, then ` +
        `${every.map((mb) => mb.toFixed(0)).join(', ')} MB, five seconds apart`,
    );
  }
  return lines.join('\n');
}
