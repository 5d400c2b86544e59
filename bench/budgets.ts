/**
 * The performance budgets beside the measured values. A ratio is the median of the ratios within each round, so that it is
 * not the quotient of the two medians; both are shown, with the least and the most of the rounds.
 */
import { markdown } from '../src/eval/markdown.ts';
import type { RaceResults } from './race.ts';
import type { PartName, Records, Sparse } from './records.ts';
import type { Spread } from './statistics.ts';

interface Read {
  readonly value: number;
  /** The least and the most of the rounds, where there are rounds. */
  readonly rounds?: Pick<Spread, 'min' | 'max'>;
  /** The two medians behind a ratio or a difference, or what was measured. */
  readonly from: string;
}

interface Budget {
  readonly work: string;
  readonly part: PartName;
  readonly most?: number;
  readonly least?: number;
  readonly unit: string;
  readonly read: (records: Records) => Read | null;
}

export interface Held {
  readonly work: string;
  readonly part: PartName;
  readonly bar: string;
  readonly value: string;
  readonly rounds: string;
  readonly from: string;
  /** The measured value as a multiple of the bar; null when there is none. */
  readonly ofBar: number | null;
  readonly verdict: 'holds' | 'does not hold' | 'not measured';
}

const YARDSTICK = 'bare-http-proxy';

const BUDGETS: readonly Budget[] = [
  {
    work: 'CPU of a scanned 2 KB call, of bare http-proxy',
    part: 'proxy',
    most: 1.75,
    unit: 'x',
    read: ({ proxy }) => ratioIn(proxy?.results, 'guard-scanned'),
  },
  {
    work: 'the same without likeness',
    part: 'proxy',
    most: 1.5,
    unit: 'x',
    read: ({ proxy }) => ratioIn(proxy?.results, 'guard-without-likeness'),
  },
  {
    work: "the same, of Portkey's gateway with one regex guardrail",
    part: 'peers',
    most: 0.125,
    unit: 'x',
    read({ peers }) {
      const pair = peers?.results.pairs?.['guard-scanned / portkey-guardrail'];
      const [mine, theirs] = [cpuIn(peers?.results, 'guard-scanned'), cpuIn(peers?.results, 'portkey-guardrail')];
      return pair?.median === undefined
        ? null
        : { value: pair.median, rounds: pair as Spread, from: `medians ${mine} and ${theirs} us` };
    },
  },
  {
    work: 'latency added at the median',
    part: 'proxy',
    most: 0.3,
    unit: ' ms',
    read: ({ proxy }) => addedIn(proxy?.results, 'p50'),
  },
  {
    work: 'latency added at the 99th percentile',
    part: 'proxy',
    most: 1.5,
    unit: ' ms',
    read: ({ proxy }) => addedIn(proxy?.results, 'p99'),
  },
  {
    work: 'benign prose of 20 KB, all stages of the signatures',
    part: 'scan',
    least: 150,
    unit: ' MB/s',
    read: ({ scan }) => speedIn(scan?.results.benign, /^scan$/),
  },
  {
    work: 'the same with likeness',
    part: 'scan',
    least: 60,
    unit: ' MB/s',
    read: ({ scan }) => speedIn(scan?.results.benign, /likeness/),
  },
  {
    work: 'the slowest text that a search finds',
    part: 'scan',
    least: 10,
    unit: ' MB/s',
    read({ scan }) {
      const found = Object.entries(scan?.results.hostile ?? {}).flatMap(([name, one]) =>
        one?.mbPerSecond === undefined ? [] : [{ name, value: one.mbPerSecond }],
      );
      const [slowest] = found.sort((a, b) => a.value - b.value);
      return slowest === undefined ? null : { value: slowest.value, from: slowest.name };
    },
  },
  {
    work: 'the worst of the bodies made to burst, CPU',
    part: 'scan',
    most: 100,
    unit: ' ms',
    read: ({ scan }) => worstBomb(scan?.results.bombs, 'cpuMs'),
  },
  {
    work: 'the worst of them, memory',
    part: 'scan',
    most: 64,
    unit: ' MB',
    read: ({ scan }) => worstBomb(scan?.results.bombs, 'extraMb'),
  },
  {
    work: 'CPU of a streamed event, passthrough',
    part: 'stream',
    most: 1.3,
    unit: 'x',
    read: ({ stream }) => ratioIn(stream?.results, 'guard-passthrough'),
  },
  {
    work: 'CPU of a streamed event, buffered',
    part: 'stream',
    most: 2,
    unit: 'x',
    read: ({ stream }) => ratioIn(stream?.results, 'guard-buffered'),
  },
  {
    work: 'memory with 1000 slow streams open',
    part: 'stream',
    most: 400,
    unit: ' MB',
    read({ stream }) {
      const memory = stream?.results.memory;
      const mb = memory?.mb ?? [];
      if (mb.length === 0) return null;
      return { value: Math.max(...mb), from: `${memory?.streams} streams, ${memory?.before?.toFixed(0)} MB before` };
    },
  },
  {
    work: 'start to ready, all signatures',
    part: 'scale',
    most: 1500,
    unit: ' ms',
    read({ scale }) {
      const ms = scale?.results.start?.ms;
      return ms?.median === undefined ? null : { value: ms.median, rounds: ms as Spread, from: '' };
    },
  },
  {
    work: "an agent's turn with 200 messages of history, of a call with one",
    part: 'scale',
    most: 2,
    unit: 'x',
    read({ scale }) {
      const rows = scale?.results.history?.rows ?? [];
      const [turn, one] = ['history, remembered', 'one message'].map((wanted) =>
        rows.find(({ name }) => name === wanted),
      );
      const ratio = turn?.ofOne['guard-scanned'];
      const us = (row: typeof turn): string => row?.cpu['guard-scanned']?.median.toFixed(0) ?? '?';
      return ratio === undefined
        ? null
        : { value: ratio.median, rounds: ratio, from: `medians ${us(turn)} and ${us(one)} us` };
    },
  },
];

/** Compares the records with all budgets. */
export function budgetsHeld(records: Records): Held[] {
  return BUDGETS.map(({ work, part, most, least, unit, read }) => {
    const bar = most === undefined ? `at least ${least}${unit}` : `at most ${most}${unit}`;
    const found = read(records);
    if (found === null)
      return { work, part, bar, value: '', rounds: '', from: '', ofBar: null, verdict: 'not measured' };
    const ofBar = found.value / (most ?? least!);
    const holds = most === undefined ? found.value >= least! : found.value <= most;
    const value = `${short(found.value)}${unit}`;
    const rounds = found.rounds === undefined ? '' : `${short(found.rounds.min)} to ${short(found.rounds.max)}${unit}`;
    return { work, part, bar, value, rounds, from: found.from, ofBar, verdict: holds ? 'holds' : 'does not hold' };
  });
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}

/** A measured value as a multiple of its bar: `2.51` of `1.75` is `1.4 times`. */
export function timesOf(ofBar: number | null): string {
  return ofBar === null ? '' : `${Number(ofBar.toPrecision(2))} times`;
}

export function budgetsTable(rows: readonly Held[]): string {
  return markdown(
    ['work', 'bar', 'measured', 'in the rounds', 'from', 'of the bar', 'verdict'],
    rows.map(({ work, bar, value, rounds, from, ofBar, verdict }) => [
      work,
      bar,
      value,
      rounds,
      from,
      timesOf(ofBar),
      verdict,
    ]),
  );
}

interface Rows {
  readonly rows?:
    | readonly {
        readonly name: string;
        readonly cpu: { readonly median: number };
        readonly ratio: Spread;
      }[]
    | undefined;
}

function ratioIn(results: Rows | undefined, name: string): Read | null {
  const row = results?.rows?.find((one) => one.name === name);
  return row === undefined
    ? null
    : {
        value: row.ratio.median,
        rounds: row.ratio,
        from: `medians ${cpuIn(results, name)} and ${cpuIn(results, YARDSTICK)} us`,
      };
}

function cpuIn(results: Rows | undefined, name: string): string {
  return results?.rows?.find((one) => one.name === name)?.cpu.median.toFixed(1) ?? '?';
}

function addedIn(results: Sparse<RaceResults> | undefined, at: 'p50' | 'p99'): Read | null {
  const row = results?.rows?.find(({ name }) => name === 'guard-scanned');
  const bare = results?.rows?.find(({ name }) => name === YARDSTICK);
  // Older records, which did not measure this within a round, have none.
  const added = row?.added?.[at];
  if (added === undefined) return null;
  const ms = (one: typeof row): string => one?.latency?.[at].median.toFixed(2) ?? '?';
  return { value: added.median, rounds: added as Spread, from: `medians ${ms(row)} and ${ms(bare)} ms` };
}

function speedIn(
  benign: Sparse<NonNullable<Records['scan']>['results']['benign']> | undefined,
  wanted: RegExp,
): Read | null {
  const row = benign?.find(({ text, size }) => /prose|english/i.test(text) && size === 20_480) ?? benign?.[0];
  const found = Object.entries(row?.contestants ?? {}).find(([name]) => wanted.test(name))?.[1].mbPerSecond;
  return found === undefined ? null : { value: found.median, rounds: found, from: row!.text };
}

function worstBomb(
  bombs: NonNullable<Records['scan']>['results']['bombs'] | undefined,
  of: 'cpuMs' | 'extraMb',
): Read | null {
  const found = Object.entries(bombs ?? {}).flatMap(([name, bomb]) => {
    const value = bomb?.[of]?.median;
    return value === undefined ? [] : [{ value, from: name }];
  });
  return found.sort((a, b) => b.value - a.value)[0] ?? null;
}
