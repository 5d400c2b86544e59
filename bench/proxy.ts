/**
 * What a proxied call costs: CPU per request under a closed load, and latency under an open one. Contestants take turns in
 * every round, in an order that turns too, so that a neighbour's burst of work hits all of them and the medians not at all.
 */
import { CONTESTANTS, YARDSTICK, type Contestant, type ContestantName } from './contestants.ts';
import type { LoadResult, LoadTask } from './load.ts';
import { startChild, type Child, type Usage } from './process.ts';
import { createProgress } from './progress.ts';
import { table } from './record.ts';
import { percentile, spread, type Spread } from './statistics.ts';

export interface ProxySettings {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly requests: number;
  readonly connections: number;
  readonly rate: number;
  readonly seconds: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export const PROXY_DEFAULTS: ProxySettings = {
  only: [],
  rounds: 7,
  requests: 6000,
  connections: 32,
  rate: 200,
  seconds: 5,
  requestBytes: 2048,
  responseBytes: 1024,
};

export interface ProxyRow {
  readonly name: string;
  readonly says: string;
  /** Microseconds of CPU per request, user and system. */
  readonly cpu: Spread;
  /** Of each round's figure to the yardstick's in the same round. */
  readonly ratio: Spread;
  /** The part of it that the thread with the sockets has; null where it is not told. */
  readonly main: Spread | null;
  readonly perSecond: Spread;
  readonly rssMb: number;
  /** Milliseconds at the constant rate; null when latency was not asked for. */
  readonly latency: { readonly p50: Spread; readonly p99: Spread; readonly p999: Spread; readonly late: Spread } | null;
}

export interface ProxyResults {
  readonly settings: ProxySettings;
  readonly left_out: readonly string[];
  /** Latency without any proxy: what the generator and the upstream cost by themselves. */
  readonly direct: ProxyRow['latency'];
  readonly rows: readonly ProxyRow[];
}

interface Entrant extends Contestant {
  readonly name: string;
  readonly child: Child;
  readonly cpu: number[];
  readonly main: number[];
  readonly perSecond: number[];
  readonly latencies: Latencies;
}

interface Latencies {
  readonly p50: number[];
  readonly p99: number[];
  readonly p999: number[];
  readonly late: number[];
}

export async function benchProxy(settings: ProxySettings): Promise<ProxyResults> {
  const sizes = { requestBytes: settings.requestBytes, responseBytes: settings.responseBytes };
  const upstream = await startChild('upstream.js', sizes);
  const load = await startChild('load.js', sizes);
  const entrants: Entrant[] = [];
  try {
    const { chosen, leftOut } = choose(settings.only);
    const measuresLatency = settings.rate > 0 && settings.seconds > 0;
    const progress = createProgress(chosen.length + settings.rounds * (chosen.length * (measuresLatency ? 2 : 1)));
    for (const name of chosen) {
      progress.step(`${name}: proving and warming`);
      const contestant: Contestant = CONTESTANTS[name];
      const child = await contestant.start(upstream.port);
      const entrant = { ...contestant, name, child, cpu: [], main: [], perSecond: [], latencies: noLatencies() };
      entrants.push(entrant);
      await prove(entrant, load, upstream);
      await run(load, {
        kind: 'closed',
        port: child.port,
        prefix: entrant.prefix,
        connections: settings.connections,
        requests: settings.requests * 2,
      });
    }
    const direct = noLatencies();
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const entrant of turned(entrants, round)) {
        progress.step(`${entrant.name}: CPU, round ${round + 1}`);
        await measureCpu(entrant, load, settings);
      }
      if (!measuresLatency) continue;
      await measureLatency({ port: upstream.port, prefix: '', latencies: direct }, load, settings);
      for (const entrant of turned(entrants, round)) {
        progress.step(`${entrant.name}: latency, round ${round + 1}`);
        await measureLatency(
          { port: entrant.child.port, prefix: entrant.prefix, latencies: entrant.latencies },
          load,
          settings,
        );
      }
    }
    progress.end();
    await nothingAltered(upstream);
    const yardstick = entrants.find(({ name }) => name === YARDSTICK)!;
    const rows: ProxyRow[] = [];
    for (const entrant of entrants) rows.push(await rowOf(entrant, yardstick));
    return { settings, left_out: leftOut, direct: latencyOf(direct), rows };
  } finally {
    for (const { child } of entrants) await child.close();
    await load.close();
    await upstream.close();
  }
}

/** The yardstick always runs: without it there is no ratio. */
function choose(only: readonly string[]): { chosen: ContestantName[]; leftOut: string[] } {
  const names = Object.keys(CONTESTANTS) as ContestantName[];
  const unknown = only.filter((name) => !(names as string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(`no contestant is called ${unknown.join(', ')}; there are ${names.join(', ')}`);
  const leftOut: string[] = [];
  const chosen = names.filter((name) => {
    if (only.length > 0 && !only.includes(name) && name !== YARDSTICK) return false;
    const why = CONTESTANTS[name].missing();
    if (why !== null) leftOut.push(`${name}: ${why}`);
    return why === null;
  });
  return { chosen, leftOut };
}

type Proved = Pick<Entrant, 'name' | 'prefix' | 'scans' | 'child'>;

/** Nobody is timed who answers wrongly: the right bytes both ways, one upstream call each, and an attack refused. */
export async function prove({ name, prefix, scans, child }: Proved, load: Child, upstream: Child): Promise<void> {
  const before = (await upstream.ask(null)) as { requests: number };
  const result = await run(load, { kind: 'closed', port: child.port, prefix, connections: 2, requests: 20 });
  const after = (await upstream.ask(null)) as { requests: number };
  if (result.answered !== 20) throw new Error(`${name} answered ${result.answered} of 20 calls correctly`);
  if (after.requests - before.requests !== 20)
    throw new Error(`${name} made ${after.requests - before.requests} calls of 20`);
  await nothingAltered(upstream);
  if (!scans) return;
  const { status } = await run(load, { kind: 'attack', port: child.port, prefix });
  if (status !== 400) throw new Error(`${name} answers ${status} to an attack`);
}

async function nothingAltered(upstream: Child): Promise<void> {
  const { altered } = (await upstream.ask(null)) as { altered: number };
  if (altered > 0) throw new Error(`${altered} requests reached the upstream altered`);
}

async function measureCpu(entrant: Entrant, load: Child, { connections, requests }: ProxySettings): Promise<void> {
  const { child, prefix } = entrant;
  const before = await child.usage();
  const result = await run(load, { kind: 'closed', port: child.port, prefix, connections, requests });
  const after = await child.usage();
  if (result.answered !== requests) throw new Error(`${entrant.name} answered ${result.answered} of ${requests} calls`);
  entrant.cpu.push((busy(after) - busy(before)) / requests);
  if (before.main !== null && after.main !== null) entrant.main.push((after.main - before.main) / requests);
  entrant.perSecond.push(requests / result.seconds);
}

async function measureLatency(
  { port, prefix, latencies }: { port: number; prefix: string; latencies: Latencies },
  load: Child,
  { connections, rate, seconds }: ProxySettings,
): Promise<void> {
  const result = await run(load, { kind: 'open', port, prefix, connections, rate, seconds });
  if (result.failed > 0) throw new Error(`${result.failed} calls failed at ${rate} a second`);
  latencies.p50.push(percentile(result.latencies, 50));
  latencies.p99.push(percentile(result.latencies, 99));
  latencies.p999.push(percentile(result.latencies, 99.9));
  latencies.late.push(result.late);
}

async function rowOf(
  { name, says, child, cpu, main, perSecond, latencies }: Entrant,
  yardstick: Entrant,
): Promise<ProxyRow> {
  return {
    name,
    says,
    cpu: spread(cpu),
    ratio: spread(cpu.map((value, round) => value / yardstick.cpu[round]!)),
    main: main.length === 0 ? null : spread(main),
    perSecond: spread(perSecond),
    rssMb: (await child.usage()).rss / 2 ** 20,
    latency: latencyOf(latencies),
  };
}

function latencyOf({ p50, p99, p999, late }: Latencies): ProxyRow['latency'] {
  return p50.length === 0 ? null : { p50: spread(p50), p99: spread(p99), p999: spread(p999), late: spread(late) };
}

export function proxyTable({ direct, rows, left_out }: ProxyResults): string {
  const cells = rows.map(({ name, cpu, main, ratio, perSecond, rssMb, latency }) => [
    name,
    cpu.median.toFixed(1),
    `${cpu.min.toFixed(1)} - ${cpu.max.toFixed(1)}`,
    main === null ? '' : main.median.toFixed(1),
    `${ratio.median.toFixed(2)}x`,
    `${ratio.min.toFixed(2)} - ${ratio.max.toFixed(2)}`,
    perSecond.median.toFixed(0),
    rssMb.toFixed(0),
    ms(latency?.p50),
    ms(latency?.p99),
    ms(latency?.p999),
  ]);
  if (direct !== null)
    cells.unshift(['direct', '', '', '', '', '', '', '', ms(direct.p50), ms(direct.p99), ms(direct.p999)]);
  const head = [
    'contestant',
    'us CPU',
    'min - max',
    'main',
    'ratio',
    'min - max',
    'calls/s',
    'RSS MB',
    'p50 ms',
    'p99 ms',
    'p99.9 ms',
  ];
  return [table(head, cells), ...left_out.map((line) => `left out: ${line}`)].join('\n');
}

function ms(value: Spread | undefined): string {
  return value === undefined ? '' : value.median.toFixed(2);
}

function run(load: Child, task: LoadTask): Promise<LoadResult> {
  return load.ask(task) as Promise<LoadResult>;
}

function busy({ user, system }: Usage): number {
  return user + system;
}

function noLatencies(): Latencies {
  return { p50: [], p99: [], p999: [], late: [] };
}

function turned<Item>(items: readonly Item[], by: number): Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
