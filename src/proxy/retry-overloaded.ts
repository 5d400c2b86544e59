import { setTimeout as sleep } from 'node:timers/promises';
import type { IsWanted } from '../scanner/scanner.ts';

const PATIENCE_MS = 2000;
const RETRY_MS = 25;

/**
 * Retries an overloaded scan for up to two seconds. A new request would be turned away at once, but a response has
 * already been paid for and its client is waiting for it anyway, as long as it does.
 */
export async function retryWhileOverloaded<T extends { readonly kind: string }>(
  ask: () => Promise<T>,
  isWanted: IsWanted,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const outcome = await ask();
    if (outcome.kind !== 'overloaded' || !isWanted() || performance.now() > until) return outcome;
    await sleep(RETRY_MS + Math.random() * RETRY_MS);
  }
}
