/**
 * Measures contestants side by side: CPU per request under a closed load, latency under an open one. They take turns
 * in every round, in a rotating order, so that a burst of other work on the machine affects all of them, and the
 * medians not at all.
 */
import type { Contestant } from './contestants.ts';
import { startEntrant, measureCpu, requireNothingAltered, run, warm, type Entrant } from './entrant.ts';
import { startChild } from './process.ts';
import type { LoadTask } from './load.ts';
import type { Child } from './process.ts';
import { createProgress } from './progress.ts';
import { percentile, spread, rotated, type Spread } from './statistics.ts';

export interface RaceSettings {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly requests: number;
  readonly connections: number;
  /** Calls per second of the open load. */
  readonly rate: number;
  readonly seconds: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9] as const;

export interface Latency {
  readonly p50: Spread;
  readonly p99: Spread;
  readonly p999: Spread;
  readonly late: Spread;
  /** The median over the rounds at each percentile. */
  readonly curve: readonly { readonly percent: number; readonly ms: number }[];
}

export interface RaceRow {
  readonly name: string;
  readonly says: string;
  /** CPU microseconds per request, user and system. */
  readonly cpu: Spread;
  /** The ratio to the yardstick in the same round. */
  readonly ratio: Spread;
  /** The part of `cpu` used by the main thread; null where the system does not tell. */
  readonly main: Spread | null;
  readonly perSecond: Spread;
  readonly rssMb: number;
  /** Milliseconds at a constant rate; null when latency was not measured. */
  readonly latency: Latency | null;
  /** Extra milliseconds over the yardstick in the same round. */
  readonly added: { readonly p50: Spread; readonly p99: Spread } | null;
}

export interface RaceResults {
  readonly settings: RaceSettings;
  readonly left_out: readonly string[];
  /** Latency without a proxy, which is the cost of the load generator and the upstream. */
  readonly direct: Latency | null;
  readonly rows: readonly RaceRow[];
  /** The CPU ratio of each requested pair in the same round. */
  readonly pairs: Readonly<Record<string, Spread>>;
}

export interface Field {
  readonly contestants: Readonly<Record<string, Contestant>>;
  /** All ratios are relative to this contestant, so it always runs. */
  readonly yardstick: string;
  readonly leftOut?: readonly string[];
  readonly pairs?: readonly (readonly [one: string, other: string])[];
}

interface Runner extends Entrant {
  readonly cpu: number[];
  readonly main: number[];
  readonly perSecond: number[];
  readonly latencies: Latencies;
}

interface Latencies {
  readonly rounds: (readonly number[])[];
  readonly late: number[];
}

export async function race(field: Field, settings: RaceSettings): Promise<RaceResults> {
  const sizes = { requestBytes: settings.requestBytes, responseBytes: settings.responseBytes };
  const { chosen, leftOut } = choose(field, settings.only);
  const upstream = await startChild('upstream.js', sizes);
  const load = await startChild('load.js', sizes);
  const runners: Runner[] = [];
  try {
    const measuresLatency = settings.rate > 0 && settings.seconds > 0;
    const progress = createProgress(chosen.length + settings.rounds * (chosen.length * (measuresLatency ? 2 : 1)));
    for (const name of chosen) {
      progress.step(`${name}: proving and warming`);
      const entrant = await startEntrant(name, field.contestants[name]!, upstream, load);
      runners.push({ ...entrant, cpu: [], main: [], perSecond: [], latencies: noLatencies() });
      await warm(entrant, load, settings);
    }
    const direct = noLatencies();
    for (let round = 0; round < settings.rounds; round += 1) {
      for (const runner of rotated(runners, round)) {
        progress.step(`${runner.name}: CPU, round ${round + 1}`);
        const { cpu, main, perSecond } = await measureCpu(runner, load, settings);
        runner.cpu.push(cpu);
        if (main !== null) runner.main.push(main);
        runner.perSecond.push(perSecond);
      }
      if (!measuresLatency) continue;
      await measureLatency({ port: upstream.port, prefix: '' }, direct, load, settings);
      for (const runner of rotated(runners, round)) {
        progress.step(`${runner.name}: latency, round ${round + 1}`);
        await measureLatency(runner.target, runner.latencies, load, settings);
      }
    }
    progress.end();
    await requireNothingAltered(upstream);
    const named = new Map(runners.map((runner) => [runner.name, runner]));
    const yardstick = named.get(field.yardstick)!;
    const rows: RaceRow[] = [];
    for (const runner of runners) rows.push(await rowOf(runner, yardstick));
    const pairs = (field.pairs ?? []).flatMap(([one, other]) => {
      const [a, b] = [named.get(one), named.get(other)];
      return a === undefined || b === undefined ? [] : [[`${one} / ${other}`, ratioOf(a.cpu, b.cpu)] as const];
    });
    return { settings, left_out: leftOut, direct: latencyOf(direct), rows, pairs: Object.fromEntries(pairs) };
  } finally {
    for (const { child } of runners) await child.close();
    await load.close();
    await upstream.close();
  }
}

function choose(field: Field, only: readonly string[]): { chosen: string[]; leftOut: string[] } {
  const names = Object.keys(field.contestants);
  const leftOut = [...(field.leftOut ?? [])];
  const strange = only.filter((name) => !names.includes(name) && !leftOut.some((line) => line.startsWith(`${name}:`)));
  if (strange.length > 0)
    throw new Error(`no contestant is called ${strange.join(', ')}; there are ${names.join(', ')}`);
  const chosen = names.filter((name) => {
    if (only.length > 0 && !only.includes(name) && name !== field.yardstick) return false;
    const why = field.contestants[name]!.missing();
    if (why !== null) leftOut.push(`${name}: ${why}`);
    return why === null;
  });
  return { chosen, leftOut };
}

async function measureLatency(
  target: Entrant['target'],
  latencies: Latencies,
  load: Child,
  { connections, rate, seconds }: RaceSettings,
): Promise<void> {
  const task: LoadTask = { ...target, kind: 'open', connections, rate, seconds };
  const result = await run(load, task);
  if (result.failed > 0) throw new Error(`${result.failed} calls failed at ${rate} a second`);
  latencies.rounds.push(result.latencies);
  latencies.late.push(result.late);
}

async function rowOf(runner: Runner, yardstick: Runner): Promise<RaceRow> {
  const { name, says, child, cpu, main, perSecond, latencies } = runner;
  const added = (percent: number): Spread => {
    const [mine, theirs] = [atPercent(latencies, percent), atPercent(yardstick.latencies, percent)];
    return spread(mine.map((ms, round) => ms - theirs[round]!));
  };
  return {
    name,
    says,
    cpu: spread(cpu),
    ratio: ratioOf(cpu, yardstick.cpu),
    main: main.length === 0 ? null : spread(main),
    perSecond: spread(perSecond),
    rssMb: (await child.usage()).rss / 2 ** 20,
    latency: latencyOf(latencies),
    added: latencies.rounds.length === 0 ? null : { p50: added(50), p99: added(99) },
  };
}

function latencyOf(latencies: Latencies): Latency | null {
  if (latencies.rounds.length === 0) return null;
  const at = (percent: number): Spread => spread(atPercent(latencies, percent));
  return {
    p50: at(50),
    p99: at(99),
    p999: at(99.9),
    late: spread(latencies.late),
    curve: PERCENTS.map((percent) => ({ percent, ms: at(percent).median })),
  };
}

function atPercent({ rounds }: Latencies, percent: number): number[] {
  return rounds.map((sorted) => percentile(sorted, percent));
}

function ratioOf(mine: readonly number[], theirs: readonly number[]): Spread {
  return spread(mine.map((value, round) => value / theirs[round]!));
}

function noLatencies(): Latencies {
  return { rounds: [], late: [] };
}
