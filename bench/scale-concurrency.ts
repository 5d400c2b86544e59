/**
 * The throughput of one instance with many callers, and whether the waiting time only grows in proportion to their
 * number.
 */
import { measureCpu, warm } from './entrant.ts';
import { createProgress } from './progress.ts';
import { SCALED, withField } from './scale-field.ts';
import type { ScaleSettings } from './scale-settings.ts';
import { linearFit, spread, rotated, type Fit, type Spread } from './statistics.ts';

interface Level {
  readonly connections: number;
  readonly perSecond: Readonly<Record<string, Spread>>;
  readonly cpu: Readonly<Record<string, Spread>>;
  /** The share of all calls refused with 503. */
  readonly shed: Readonly<Record<string, Spread>>;
}

export interface ConcurrencyResults {
  readonly rows: readonly Level[];
  /**
   * Milliseconds until an answer as a function of the number of callers, over the levels at which no call is refused.
   */
  readonly fits: Readonly<Record<string, Fit>>;
}

const LEVELS = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

export function measureConcurrency({ rounds, requests }: ScaleSettings): Promise<ConcurrencyResults> {
  const { 'bare-http-proxy': bare, 'guard-scanned': scanned } = SCALED;
  return withField({ 'bare-http-proxy': bare, 'guard-scanned': scanned }, async ({ entrants, load }) => {
    const progress = createProgress(LEVELS.length * rounds + 1);
    progress.step('warming');
    for (const entrant of entrants) await warm(entrant, load, { connections: 16, requests });
    const at = LEVELS.map((connections) => ({
      connections,
      perSecond: Object.fromEntries(entrants.map(({ name }) => [name, [] as number[]])),
      cpu: Object.fromEntries(entrants.map(({ name }) => [name, [] as number[]])),
      shed: Object.fromEntries(entrants.map(({ name }) => [name, [] as number[]])),
    }));
    for (let round = 0; round < rounds; round += 1) {
      // The order of levels rotates as well. In a fixed order, a machine that becomes busy would look like a bend in
      // the line.
      for (const level of rotated(at, round * 2)) {
        progress.step(`${level.connections} at once: round ${round + 1}`);
        for (const entrant of rotated(entrants, round)) {
          const calls = Math.max(requests, 4 * level.connections);
          const { connections } = level;
          const cost = await measureCpu(entrant, load, { requests: calls, connections, mayShed: true });
          level.shed[entrant.name]!.push(cost.shed);
          level.perSecond[entrant.name]!.push(cost.perSecond);
          level.cpu[entrant.name]!.push(cost.cpu);
        }
      }
    }
    progress.end();
    const spreads = (of: Record<string, number[]>): Record<string, Spread> =>
      Object.fromEntries(Object.entries(of).map(([name, values]) => [name, spread(values)]));
    const rows = at.map(({ connections, perSecond, cpu, shed }) => ({
      connections,
      perSecond: spreads(perSecond),
      cpu: spreads(cpu),
      shed: spreads(shed),
    }));
    const fits = entrants.map(({ name }) => [
      name,
      linearFit(
        rows
          .filter((row) => row.shed[name]!.median === 0)
          .map((row) => [row.connections, (1000 * row.connections) / row.perSecond[name]!.median] as const),
      ),
    ]);
    return { rows, fits: Object.fromEntries(fits) as Record<string, Fit> };
  });
}
