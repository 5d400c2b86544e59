/** The contestants, upstream and load generator for one section of `scale`. They are stopped at its end. */
import { CONTESTANTS } from './contestants.ts';
import type { Contestant } from './contestants.ts';
import { startEntrant, requireNothingAltered, type Entrant } from './entrant.ts';
import { startChild, type Child } from './process.ts';

export interface ScaleField {
  readonly entrants: readonly Entrant[];
  readonly load: Child;
  readonly upstream: Child;
}

const SIZES = { requestBytes: 2048, responseBytes: 1024 };

/**
 * Settings for measurements of cost only. With the default timeout, a busy machine would forward large bodies
 * unscanned, which would look cheap. At the default sensitivity, weak signs in 8 MB of random words add up to a
 * refusal. Neither setting changes what is scanned or how.
 */
export const PATIENT = { security: { scanner_timeout_ms: 20_000 }, policy: { sensitivity: 0.2 } };

const patient = (contestant: Contestant, config: object): Contestant => ({
  ...contestant,
  start: (upstreamPort) => startChild('contestants/guard.js', { upstreamPort, config: { ...PATIENT, ...config } }),
});

export const SCALED = {
  'bare-http-proxy': CONTESTANTS['bare-http-proxy'],
  'guard-unscanned': CONTESTANTS['guard-unscanned'],
  'guard-scanned': patient(CONTESTANTS['guard-scanned'], {}),
} satisfies Record<string, Contestant>;

/** Starts the contestants, runs `measure`, and stops everything. */
export async function withField<Result>(
  contestants: Readonly<Record<string, Contestant>>,
  measure: (field: ScaleField) => Promise<Result>,
): Promise<Result> {
  const upstream = await startChild('upstream.js', SIZES);
  const load = await startChild('load.js', SIZES);
  const entrants: Entrant[] = [];
  try {
    for (const [name, contestant] of Object.entries(contestants))
      entrants.push(await startEntrant(name, contestant, upstream, load));
    const result = await measure({ entrants, load, upstream });
    await requireNothingAltered(upstream);
    return result;
  } finally {
    for (const { child } of entrants) await child.close();
    await load.close();
    await upstream.close();
  }
}

export const SCALED_WITHOUT_LIKENESS = patient(CONTESTANTS['guard-without-likeness'], { scanner: { likeness: false } });
