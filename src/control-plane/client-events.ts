import { randomUUID } from 'node:crypto';
import { NO_UPSTREAM, type Exchange } from '../domain/exchange.ts';
import { latencyBucket, MOST_SIGNATURE_NAME, type DetectionRow, type EventBatch, type LatencyRow } from './protocol.ts';

/**
 * Counts an instance's traffic by hour, upstream, category, action and signature, and collects the counts into
 * batches for the control plane. No text, path, client or match is recorded. Everything is bounded: when the control
 * plane is away for long, the oldest batches are dropped and counted as lost.
 */

export interface Events {
  observe(exchange: Exchange): void;
  /** Closes what was counted so far into a batch. */
  seal(): void;
  /** The oldest unsent batch, or null. */
  next(): SealedBatch | null;
  taken(batch: SealedBatch): void;
  /** Drops a batch that the control plane will never accept. */
  refused(batch: SealedBatch): void;
  /** Counts since the last `restart`. The control plane judges a new bundle by them. */
  trafficSinceRestart(): { readonly requests: number; readonly blocked: number };
  restart(): void;
  dropped(): number;
}

export interface SealedBatch {
  readonly key: string;
  readonly sealedAt: number;
  readonly events: number;
  readonly batch: EventBatch;
}

export interface EventLimits {
  /**
   * Distinct rows in one batch. Signatures, upstreams and categories come from the configuration, so a normal
   * instance stays far below.
   */
  readonly rows: number;
  readonly batches: number;
}

const LIMITS: EventLimits = { rows: 1000, batches: 100 };
const HOUR_MS = 3_600_000;
const OLDEST_MS = 24 * HOUR_MS;
/** The category of a request in which nothing was found. */
const NO_CATEGORY = 'none';

type Counted<Row> = { -readonly [Key in keyof Row]: Row[Key] };

export function createEvents(onDrop: (events: number) => void, limits: EventLimits = LIMITS): Events {
  let detections = new Map<string, Counted<DetectionRow>>();
  let latencies = new Map<string, Counted<LatencyRow>>();
  let queue: SealedBatch[] = [];
  let requests = 0;
  let blocked = 0;
  let dropped = 0;
  // Cached: every exchange needs it, and it stays the same for an hour.
  let hourUntil = 0;
  let hour = '';

  function drop(events: number): void {
    dropped += events;
    onDrop(events);
  }

  function hourNow(): string {
    const now = Date.now();
    if (now >= hourUntil || now < hourUntil - HOUR_MS) {
      const start = Math.floor(now / HOUR_MS) * HOUR_MS;
      hourUntil = start + HOUR_MS;
      hour = new Date(start).toISOString();
    }
    return hour;
  }

  function count(upstream: string, category: string, action: string, signature: string, shadow: boolean): void {
    const at = hourNow();
    const key = `${at}\n${upstream}\n${category}\n${action}\n${signature}\n${shadow ? 1 : 0}`;
    const row = detections.get(key);
    if (row !== undefined) row.count += 1;
    else if (detections.size + latencies.size >= limits.rows) drop(1);
    else detections.set(key, { hour: at, upstream, category, action, signature, shadow, count: 1 });
  }

  return {
    observe({ upstream, verdict, shadow, scanned, scanMs }) {
      if (upstream === NO_UPSTREAM && verdict === null) return;
      requests += 1;
      if (verdict?.action === 'block') blocked += 1;
      count(
        upstream,
        verdict?.category ?? NO_CATEGORY,
        verdict?.action ?? 'allow',
        // Cut, because one name that is too long would cost the counts of its whole batch.
        verdict?.signatureName?.slice(0, MOST_SIGNATURE_NAME) ?? '',
        false,
      );
      if (shadow !== null && shadow.category !== null) count(upstream, shadow.category, shadow.action, '', true);
      if (!scanned && scanMs === 0) return;
      const at = hourNow();
      const bucket = latencyBucket(scanMs);
      const key = `${at}\n${upstream}\n${bucket}`;
      const row = latencies.get(key);
      if (row !== undefined) row.count += 1;
      else if (detections.size + latencies.size >= limits.rows) drop(1);
      else latencies.set(key, { hour: at, upstream, bucket, count: 1 });
    },
    seal() {
      if (detections.size + latencies.size === 0) return;
      const batch: EventBatch = { detections: [...detections.values()], latencies: [...latencies.values()] };
      detections = new Map();
      latencies = new Map();
      const events = batch.detections.reduce((sum, row) => sum + row.count, 0);
      queue.push({ key: randomUUID(), sealedAt: Date.now(), events, batch });
      const due = Date.now() - OLDEST_MS;
      while (queue.length > limits.batches || queue[0]!.sealedAt < due) drop(queue.shift()!.events);
    },
    next: () => queue[0] ?? null,
    taken(batch) {
      queue = queue.filter((each) => each !== batch);
    },
    refused(batch) {
      if (!queue.includes(batch)) return;
      queue = queue.filter((each) => each !== batch);
      drop(batch.events);
    },
    trafficSinceRestart: () => ({ requests, blocked }),
    restart() {
      requests = 0;
      blocked = 0;
    },
    dropped: () => dropped,
  };
}
