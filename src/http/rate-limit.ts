import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { refuse, type Refusal } from '../domain/refusal.ts';

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
/** A store that takes longer counts as unavailable, and the limiter in memory is used instead. */
const STORE_TIMEOUT_MS = 250;

export async function createRateLimit(
  { check: { points, per_s: duration }, store }: RateLimitSettings,
  onStore: (up: boolean, code?: string) => void,
): Promise<RateLimit> {
  if (points === 0) return { limit: () => Promise.resolve(UNLIMITED), close: () => {} };
  const memory = new RateLimiterMemory({ keyPrefix: KEY_PREFIX, points, duration });
  let closed = false;
  const redis =
    store === 'memory'
      ? null
      : await connect(store, (up, code) => {
          // The connection also closes when this limiter is closed. That is not an outage.
          if (!closed) onStore(up, code);
        });
  const limiter: RateLimiterAbstract =
    redis === null
      ? memory
      : new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: KEY_PREFIX,
          points,
          duration,
          // While the store is unavailable each instance counts on its own. More calls get through than configured, but
          // no client is locked out.
          insuranceLimiter: memory,
          rejectIfRedisNotReady: true,
          // A client over its limit is then refused without a round trip to the store until its period ends.
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

/** `ioredis` is an optional peer dependency, needed only to share limits between instances. */
async function connect(url: string, onStore: (up: boolean, code?: string) => void): Promise<Redis> {
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
  const say = (now: boolean, code?: string): void => {
    if (up === now) return;
    up = now;
    onStore(now, code);
  };
  redis.on('ready', () => say(true));
  redis.on('close', () => say(false));
  // The same error repeats with every attempt to connect. The outage is reported once, because `say` ignores
  // repetitions.
  redis.on('error', (error) => say(false, storeFault(error)));
  return redis;
}

/** The code of the system, else the first word of what the store answered, such as WRONGPASS; the rest may name a user. */
function storeFault(error: NodeJS.ErrnoException): string {
  return error.code ?? /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? error.name;
}

async function consume(limiter: RateLimiterAbstract, client: string, points: number, duration: number): Promise<Limit> {
  const policy = { 'RateLimit-Policy': `"check";q=${points};w=${duration}` };
  try {
    return { refusal: null, headers: { ...policy, ...currentLimit(await limiter.consume(client)) } };
  } catch (spent) {
    // The library rejects with a RateLimiterRes when the limit is reached, and with an Error when its store failed.
    if (!(spent instanceof RateLimiterRes)) return { refusal: null, headers: policy };
    const headers = { ...policy, ...currentLimit(spent) };
    return { refusal: refuse('rate_limited', { headers: { 'Retry-After': String(seconds(spent)) } }), headers };
  }
}

/** How much of the limit is left, as the RateLimit header says it. */
function currentLimit(state: RateLimiterRes): Record<string, string> {
  return { RateLimit: `"check";r=${state.remainingPoints};t=${seconds(state)}` };
}

function seconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}
