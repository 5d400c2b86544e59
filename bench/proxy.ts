/** The part `proxy`: what a proxied call costs, by contestant. */
import { markdown } from '../src/eval/markdown.ts';
import { CONTESTANTS, YARDSTICK } from './contestants.ts';
import { race, type RaceResults, type RaceSettings } from './race.ts';
import type { Spread } from './statistics.ts';

export const PROXY_DEFAULTS: RaceSettings = {
  only: [],
  rounds: 7,
  requests: 6000,
  connections: 32,
  rate: 200,
  seconds: 5,
  requestBytes: 2048,
  responseBytes: 1024,
};

export function benchProxy(settings: RaceSettings): Promise<RaceResults> {
  return race({ contestants: CONTESTANTS, yardstick: YARDSTICK }, settings);
}

export function raceTable({ direct, rows, pairs, left_out }: RaceResults): string {
  const cells = rows.map(({ name, cpu, main, ratio, perSecond, rssMb, latency, added }) => [
    name,
    cpu.median.toFixed(1),
    range(cpu, 1),
    main === null ? '' : main.median.toFixed(1),
    `${ratio.median.toFixed(2)}x`,
    range(ratio, 2),
    perSecond.median.toFixed(0),
    rssMb.toFixed(0),
    ms(latency?.p50),
    ms(latency?.p99),
    ms(latency?.p999),
    ms(added?.p50),
    ms(added?.p99),
  ]);
  if (direct !== null)
    cells.unshift(['direct', '', '', '', '', '', '', '', ms(direct.p50), ms(direct.p99), ms(direct.p999), '', '']);
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
    'added p50',
    'added p99',
  ];
  const compared = Object.entries(pairs).map(
    ([name, ratio]) => `${name}: ${ratio.median.toFixed(3)} (${range(ratio, 3)}), 1/${(1 / ratio.median).toFixed(1)}`,
  );
  return [markdown(head, cells), ...compared, ...left_out.map((line) => `left out: ${line}`)].join('\n');
}

function range({ min, max }: Spread, digits: number): string {
  return `${min.toFixed(digits)} - ${max.toFixed(digits)}`;
}

function ms(value: Spread | undefined): string {
  return value === undefined ? '' : value.median.toFixed(2);
}
