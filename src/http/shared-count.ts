import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/**
 * Counts in a Redis that all instances share. While it is away, hangs or answers with errors, this instance counts alone:
 * more calls get through than configured, but no client waits or is locked out.
 */
export interface SharedCount {
  /** Rejects with a `RateLimiterRes` when the limit is reached. */
  consume(key: string): Promise<RateLimiterRes>;
  close(): void;
}

export interface Counting {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/** Says once that the store is there, and once that it is not and why. */
export type OnStore = (up: boolean, code?: string) => void;

const ANSWER_WITHIN_MS = 250;
/** After a failure the store is left alone for so long. Then one call finds out whether it works again. */
const ALONE_MS = 2000;
/** A connection without an answer for so long is given up: it may lead to a machine that is no more. */
const SILENT_MS = 2000;

export async function createSharedCount(
  url: string,
  counting: Counting,
  alone: RateLimiterAbstract,
  onStore: OnStore,
): Promise<SharedCount> {
  const redis = await connect(url);
  const shared = new RateLimiterRedis({
    ...counting,
    storeClient: redis,
    // A client over its limit is then refused without a round trip to the store until its period ends.
    inMemoryBlockOnConsumed: counting.points + 1,
  });
  let closed = false;
  let up: boolean | null = null;
  let failedAt = 0;
  let askAgainAt = 0;

  function say(now: boolean, code?: string): void {
    // The connection also closes when this limiter is closed. That is not an outage.
    if (up === now || closed) return;
    up = now;
    onStore(now, code);
  }

  redis.on('ready', () => say(true));
  redis.on('close', () => say(false));
  // The same error repeats with every attempt to connect. The outage is reported once, because `say` ignores
  // repetitions.
  redis.on('error', (error) => say(false, storeFault(error)));

  return {
    async consume(key) {
      const now = performance.now();
      if (redis.status !== 'ready' || (up === false && now < askAgainAt)) return alone.consume(key);
      askAgainAt = now + ALONE_MS;
      try {
        const counted = await inTime(shared.consume(key));
        // An answer to a question from before the failure says nothing of what came after it.
        if (now > failedAt) say(true);
        return counted;
      } catch (fault) {
        if (fault instanceof RateLimiterRes) {
          // Without points it is a client whose period has not ended, and the store was not asked.
          if (fault.consumedPoints === 0) askAgainAt = 0;
          else if (now > failedAt) say(true);
          throw fault;
        }
        failedAt = performance.now();
        askAgainAt = failedAt + ALONE_MS;
        say(false, storeFault(fault as Error));
        return alone.consume(key);
      }
    },
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}

/** `ioredis` is an optional peer dependency, needed only to share limits between instances. */
async function connect(url: string): Promise<Redis> {
  const { Redis: Client } = await import('ioredis').catch(() => {
    throw new Error('rate_limit.store names a Redis, which needs the package ioredis: npm install ioredis');
  });
  return new Client(url, {
    enableOfflineQueue: false,
    // What was not answered has been counted here. Sent again after an outage, it would count for a second time, all at
    // once, and lock clients out.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    socketTimeout: SILENT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
  });
}

const LATE = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

/** Rejects when the answer is late. One that came while this process had no time to read it is not. */
function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(LATE)), ANSWER_WITHIN_MS);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * The code of the system, else the first word of what the store answered, such as WRONGPASS or READONLY; the rest may
 * name a user.
 */
function storeFault(error: NodeJS.ErrnoException): string {
  if (error.message.startsWith('Socket timeout')) return LATE.code;
  return error.code ?? /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? error.name;
}
