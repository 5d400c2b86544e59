import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refuse, type Refusal } from '../domain/refusal.ts';
import { createSharedCount, type OnStore } from './shared-count.ts';

/** Rate limit per client for POST /check. Proxied calls are never counted: the upstream has limits of its own. */

export interface Limit {
  readonly refusal: Refusal | null;
  /** Sent with every response, so that a well-behaved client can see the limit before it reaches it. */
  readonly headers: Readonly<Record<string, string>>;
}

export type LimitCheck = (client: string) => Promise<Limit>;

export interface RateLimit {
  readonly limit: LimitCheck;
  close(): void;
}

export interface RateLimitSettings {
  readonly check: { readonly points: number; readonly per_s: number };
  /** `memory`, or the address of a Redis that all instances share. */
  readonly store: string;
}

const UNLIMITED: Limit = { refusal: null, headers: {} };
const KEY_PREFIX = 'guard-check';

export async function createRateLimit(
  { check: { points, per_s: duration }, store }: RateLimitSettings,
  onStore: OnStore,
): Promise<RateLimit> {
  if (points === 0) return { limit: () => Promise.resolve(UNLIMITED), close: () => {} };
  const counting = { keyPrefix: KEY_PREFIX, points, duration };
  const memory = new RateLimiterMemory(counting);
  const shared = store === 'memory' ? null : await createSharedCount(store, counting, memory, onStore);
  const policy = { 'RateLimit-Policy': `"check";q=${points};w=${duration}` };
  return {
    async limit(client) {
      try {
        const state = await (shared ?? memory).consume(client);
        return { refusal: null, headers: { ...policy, ...currentLimit(state) } };
      } catch (spent) {
        // The library rejects with a RateLimiterRes when the limit is reached.
        if (!(spent instanceof RateLimiterRes)) return { refusal: null, headers: policy };
        const headers = { ...policy, ...currentLimit(spent) };
        return { refusal: refuse('rate_limited', { headers: { 'Retry-After': String(seconds(spent)) } }), headers };
      }
    },
    close() {
      shared?.close();
    },
  };
}

/** How much of the limit is left, as the RateLimit header says it. */
function currentLimit(state: RateLimiterRes): Record<string, string> {
  return { RateLimit: `"check";r=${state.remainingPoints};t=${seconds(state)}` };
}

function seconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}
