/** The cost of a call by the size of its body, and whether it grows linearly. */
import { measureCpu, warm } from './entrant.ts';
import { createProgress } from './progress.ts';
import { SCALED, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { linearFit, spread, rotated, type Fit, type Spread } from './statistics.ts';

export interface SizeResults {
  readonly rows: readonly {
    readonly bytes: number;
    readonly calls: number;
    /** CPU microseconds per call, by contestant. */
    readonly cpu: Readonly<Record<string, Spread>>;
    /** The ratio to the yardstick in the same round. */
    readonly ratio: Readonly<Record<string, Spread>>;
  }[];
  /** Microseconds as a function of bytes. */
  readonly fits: Readonly<Record<string, Fit>>;
}

const SIZES = [200, 2048, 16_384, 131_072, 1_048_576, 8_388_608] as const;
/** The least number of calls per figure, used for the largest bodies. */
const CALLS_AT_LEAST = 4;
/** Limits parallel large bodies: many at once would measure memory contention instead. */
const BYTES_AT_ONCE = 8_388_608;

export function measureSizes({ rounds, requests, connections }: ScaleSettings): Promise<SizeResults> {
  return withField(SCALED, async ({ entrants, load, upstream }) => {
    const progress = createProgress(SIZES.length * (rounds + 1));
    const yardstick = entrants[0]!.name;
    const rows: SizeResults['rows'][number][] = [];
    for (const bytes of SIZES) {
      const calls = Math.max(CALLS_AT_LEAST, Math.min(requests, Math.round((requests * 2048) / bytes)));
      const atOnce = Math.max(1, Math.min(connections, Math.floor(BYTES_AT_ONCE / bytes)));
      // One message, because the cost of text is measured and not that of many messages.
      const body = { bytes, turns: 1, stamps: 'all' } as const;
      await upstream.ask(body);
      progress.step(`${bytes} bytes: warming`);
      const shape = { requests: calls, connections: atOnce, body };
      for (const entrant of entrants) {
        const target = { ...entrant, target: { ...entrant.target, body } };
        await warm(target, load, { ...shape, requests: Math.ceil(calls / 4) });
      }
      const cpu: Record<string, number[]> = Object.fromEntries(entrants.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round += 1) {
        progress.step(`${bytes} bytes: round ${round + 1}`);
        for (const entrant of rotated(entrants, round))
          cpu[entrant.name]!.push((await measureCpu(entrant, load, shape)).cpu);
      }
      rows.push({
        bytes,
        calls,
        cpu: each(cpu, spread),
        ratio: each(cpu, (mine) => spread(mine.map((value, round) => value / cpu[yardstick]![round]!))),
      });
    }
    progress.end();
    const fits = entrants.map(({ name }) => [
      name,
      linearFit(rows.map((row) => [row.bytes, row.cpu[name]!.median] as const)),
    ]);
    return { rows, fits: Object.fromEntries(fits) as Record<string, Fit> };
  });
}

function each<From, To>(of: Readonly<Record<string, From>>, make: (from: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, make(value)]));
}
