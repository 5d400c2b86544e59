/** The part `peers`: the cost of a scanned call beside that of comparable gateways. */
import { CONTESTANTS, YARDSTICK } from './contestants.ts';
import { fetchPortkey } from './portkey.ts';
import { race, type RaceResults, type RaceSettings } from './race.ts';

/** Fewer calls than in `proxy`: a peer takes a millisecond or more for each, and a rough factor is enough. */
export const PEERS_DEFAULTS: RaceSettings = {
  only: [],
  rounds: 5,
  requests: 2000,
  connections: 32,
  rate: 100,
  seconds: 5,
  requestBytes: 2048,
  responseBytes: 1024,
};

export async function benchPeers(settings: RaceSettings): Promise<RaceResults> {
  const portkey = await fetchPortkey();
  const absent = typeof portkey === 'string';
  const contestants = {
    [YARDSTICK]: CONTESTANTS[YARDSTICK],
    'guard-scanned': CONTESTANTS['guard-scanned'],
    ...(absent ? {} : portkey.contestants),
  };
  const leftOut = absent ? [`portkey: ${portkey}`, `portkey-guardrail: ${portkey}`] : [];
  const pairs = [
    ['guard-scanned', 'portkey'],
    ['guard-scanned', 'portkey-guardrail'],
  ] as const;
  try {
    return await race({ contestants, yardstick: YARDSTICK, leftOut, pairs }, settings);
  } finally {
    if (!absent) portkey.remove();
  }
}
