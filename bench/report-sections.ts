/** The charts of the report. `draw` returns null when the record lacks the data, and the page says so. */
import { bars, bytesSay, plot, type Bar, type Series } from './report-charts.ts';
import type { PartName, Records } from './records.ts';
import type { Spread } from './statistics.ts';

export interface Section {
  readonly title: string;
  readonly says: string;
  readonly part: PartName;
  readonly draw: (records: Records, title: string) => string | null;
}

const isOurs = (name: string): boolean => name.startsWith('guard');

export const CHARTS: readonly Section[] = [
  {
    title: 'CPU of a proxied call',
    says: `CPU of all threads for a chat call of 2 KB, as a multiple of bare-http-proxy in the same round: the median of the rounds, with a whisker from the least to the most, and the median CPU beside it.`,
    part: 'proxy',
    draw: ({ proxy }, title) => ratioBars(proxy?.results.rows, title),
  },
  {
    title: 'Beside other gateways',
    says: 'The same in another run. Portkey with a guardrail reads the last message of a call for one pattern.',
    part: 'peers',
    draw: ({ peers }, title) => ratioBars(peers?.results.rows, title),
  },
  {
    title: 'Latency at a constant rate',
    says: 'Milliseconds from when a call was due to its answer, by the share of calls that were answered by then: the median of the rounds.',
    part: 'proxy',
    draw({ proxy }, title) {
      const rows = (proxy?.results.rows ?? []).filter(({ name }) => name === 'bare-http-proxy' || isOurs(name));
      const series = rows.flatMap(({ name, latency }) => curve(name, latency?.curve));
      series.push(...curve('direct', proxy?.results.direct?.curve));
      return drawn(series, (lines) =>
        plot({ across: 'share of calls', up: 'ms', series: lines, yLog: true, xSays: percentOf }, title),
      );
    },
  },
  {
    title: 'Cost by the size of the body',
    says: 'Microseconds of CPU for one call. Both scales are of powers: a cost that grows with the body rises at 45 degrees.',
    part: 'scale',
    draw({ scale }, title) {
      const rows = scale?.results.sizes?.rows ?? [];
      const names = Object.keys(rows[0]?.cpu ?? {});
      const series = names.map((name) => ({
        name,
        points: rows.map(({ bytes, cpu }) => [bytes, cpu[name]!.median] as const),
      }));
      return drawn(series, (lines) =>
        plot({ across: 'body', up: 'us CPU', series: lines, xLog: true, yLog: true, xSays: bytesSay }, title),
      );
    },
  },
  {
    title: 'Speed of a scanning thread',
    says: 'MB/s of one thread on honest text of 20 KB, and on the slowest text that a search for slow text found.',
    part: 'scan',
    draw({ scan }, title) {
      const honest = (scan?.results.benign ?? [])
        .filter(({ size, contestants }) => size === 20_480 && contestants['scan'] !== undefined)
        .map(({ text, contestants }) => bar(`honest: ${text}`, contestants['scan']!.mbPerSecond, 'MB/s', true));
      const hostile = Object.entries(scan?.results.hostile ?? {}).flatMap(([name, found]) => {
        const value = found?.mbPerSecond;
        return value === undefined
          ? []
          : [bar(`hostile: ${name}`, { median: value, min: value, max: value }, 'MB/s', false)];
      });
      const list = [...honest, ...hostile];
      return list.length === 0 ? null : bars(list, title);
    },
  },
  {
    title: 'Calls answered, by callers at once',
    says: 'Calls a second, each caller sending its next when the last was answered. What is shed with 503 does not count.',
    part: 'scale',
    draw({ scale }, title) {
      const rows = scale?.results.concurrency?.rows ?? [];
      const names = Object.keys(rows[0]?.perSecond ?? {});
      const series = names.map((name) => ({
        name,
        points: rows.map(({ connections, perSecond }) => [connections, perSecond[name]!.median] as const),
      }));
      return drawn(series, (lines) => plot({ across: 'callers', up: 'calls/s', series: lines, xLog: true }, title));
    },
  },
  {
    title: 'Memory with slow streams open',
    says: 'Megabytes resident, each second, while every reader gets two words a second.',
    part: 'stream',
    draw({ stream }, title) {
      const memory = stream?.results.memory;
      const mb = memory?.mb ?? [];
      const points = [...(memory?.before === undefined ? [] : [memory.before]), ...mb].map(
        (at, second) => [second, at] as const,
      );
      return mb.length === 0
        ? null
        : plot(
            { across: 'seconds', up: 'MB', series: [{ name: `${memory?.streams} streams, buffered`, points }] },
            title,
          );
    },
  },
  {
    title: 'An agent that sends its history again',
    says: 'Microseconds of CPU a turn: one message alone; 200 messages of which all but the last were read before; 200 new ones.',
    part: 'scale',
    draw({ scale }, title) {
      const list = (scale?.results.history?.rows ?? []).flatMap(({ name, cpu }) =>
        Object.entries(cpu)
          .filter(([who]) => who !== 'guard-unscanned')
          .map(([who, spread]) => bar(`${name.replace('history, ', '')}: ${who}`, spread, 'us', isOurs(who))),
      );
      return list.length === 0 ? null : bars(list, title);
    },
  },
  {
    title: 'Cost by signatures loaded',
    says: 'Microseconds of CPU to scan a text of 2 KB.',
    part: 'scale',
    draw({ scale }, title) {
      const points = (scale?.results.signatures?.rows ?? []).map((row) => [row.signatures, row.scan.median] as const);
      return drawn([{ name: 'scan', points }], (lines) =>
        plot({ across: 'signatures', up: 'us CPU', series: lines }, title),
      );
    },
  },
];

/** The bars are the ratios, since only they can be compared between runs. Times are said beside them. */
function ratioBars(
  rows: readonly { readonly name: string; readonly cpu: Spread; readonly ratio: Spread }[] | undefined,
  title: string,
): string | null {
  if (rows === undefined || rows.length === 0) return null;
  return bars(
    rows.map(({ name, cpu, ratio }) => ({
      ...bar(name, ratio, 'x', isOurs(name)),
      said: `${ratio.median.toFixed(2)}x (${cpu.median.toFixed(0)} us)`,
    })),
    title,
    1,
  );
}

function bar(label: string, { median, min, max }: Spread, unit: string, ours: boolean): Bar {
  const figure = median < 100 ? median.toFixed(1) : median.toFixed(0);
  return { label, value: median, min, max, said: `${figure} ${unit}`, ours };
}

function curve(
  name: string,
  points: readonly { readonly percent: number; readonly ms: number }[] | undefined,
): Series[] {
  return points === undefined
    ? []
    : [{ name, points: points.map(({ percent, ms }) => [ninesOf(percent), ms] as const) }];
}

/**
 * The number of nines of a percentile: `99 -> 2`, `99.9 -> 3`. On a linear axis, the slowest percent of calls would
 * have no room.
 */
function ninesOf(percent: number): number {
  return -Math.log10(1 - percent / 100);
}

function percentOf(nines: number): string {
  return `${Number((100 * (1 - 10 ** -nines)).toFixed(3))} %`;
}

function drawn(series: readonly Series[], draw: (series: readonly Series[]) => string): string | null {
  const some = series.filter(({ points }) => points.length > 1);
  return some.length === 0 ? null : draw(some);
}
