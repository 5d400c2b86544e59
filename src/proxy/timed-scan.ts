import type { Exchange } from '../domain/exchange.ts';

/**
 * Asks for a scan, and adds the time that it took, waiting included, to what the call's log line tells. `seconds` is for
 * the metrics, which count it with the result of this one scan.
 */
export async function timedScan<Scanned>(
  exchange: Exchange,
  ask: () => Promise<Scanned>,
): Promise<{ readonly outcome: Scanned; readonly seconds: number }> {
  const startedAt = performance.now();
  const outcome = await ask();
  const ms = performance.now() - startedAt;
  exchange.scanMs += ms;
  return { outcome, seconds: ms / 1000 };
}
