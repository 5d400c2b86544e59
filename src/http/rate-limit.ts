import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { refuse, type Refusal } from '../domain/refusal.ts';

/** How often one client may call POST /check. Proxied calls are never counted: the upstream has limits of its own. */

export interface Limit {
  readonly refusal: Refusal | null;
  /** On every answer, so that a well-behaved client need not find the limit by hitting it. */
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
/** A store that does not answer at once is as good as away; the memory answers instead. */
const STORE_TIMEOUT_MS = 250;

export async function createRateLimit(
  { check: { points, per_s: duration }, store }: RateLimitSettings,
  onStore: (up: boolean) => void,
): Promise<RateLimit> {
  if (points === 0) return { limit: () => Promise.resolve(UNLIMITED), close: () => {} };
  const memory = new RateLimiterMemory({ keyPrefix: KEY_PREFIX, points, duration });
  let closed = false;
  const redis =
    store === 'memory'
      ? null
      : await connect(store, (up) => {
          // One that was left is not away.
          if (!closed) onStore(up);
        });
  const limiter: RateLimiterAbstract =
    redis === null
      ? memory
      : new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: KEY_PREFIX,
          points,
          duration,
          // While the store is away each instance counts alone: more is let through than should be, and nobody is locked out.
          insuranceLimiter: memory,
          rejectIfRedisNotReady: true,
          // A client over its limit costs no round trip until its period is over.
          inMemoryBlockOnConsumed: points + 1,
        });
  return {
    limit: (client) => consume(limiter, client, points, duration),
    close() {
      closed = true;
      redis?.disconnect();
    },
  };
}

/** An optional peer: whoever shares limits between instances installs it, nobody else carries it. */
async function connect(url: string, onStore: (up: boolean) => void): Promise<Redis> {
  const { Redis: Client } = await import('ioredis').catch(() => {
    throw new Error('rate_limit.store names a Redis, which needs the package ioredis: npm install ioredis');
  });
  const redis = new Client(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: STORE_TIMEOUT_MS,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  });
  let up: boolean | null = null;
  const say = (now: boolean): void => {
    if (up === now) return;
    up = now;
    onStore(now);
  };
  redis.on('ready', () => say(true));
  redis.on('close', () => say(false));
  // Its reasons repeat with every attempt to connect; that it is away is said once, by `close`.
  redis.on('error', () => say(false));
  return redis;
}

async function consume(limiter: RateLimiterAbstract, client: string, points: number, duration: number): Promise<Limit> {
  const policy = { 'RateLimit-Policy': `"check";q=${points};w=${duration}` };
  try {
    return { refusal: null, headers: { ...policy, ...standing(await limiter.consume(client)) } };
  } catch (spent) {
    // The library rejects with the standing when the limit is reached, and with an Error when its store failed.
    if (!(spent instanceof RateLimiterRes)) return { refusal: null, headers: policy };
    const headers = { ...policy, ...standing(spent) };
    return { refusal: refuse('rate_limited', { headers: { 'Retry-After': String(seconds(spent)) } }), headers };
  }
}

function standing(state: RateLimiterRes): Record<string, string> {
  return { RateLimit: `"check";r=${state.remainingPoints};t=${seconds(state)}` };
}

function seconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}
