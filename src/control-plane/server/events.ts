import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { refuse, type Refusal } from '../../domain/refusal.ts';
import { MAX_BATCH_TEXT, readBatch, type DetectionRow, type EventBatch, type LatencyRow } from '../protocol.ts';
import type { Database, Query } from './database.ts';

/** Batches of counts from the instances: unpacked within bounds, added to the hours they belong to, and never twice. */

const unzip = promisify(gunzip);
const KEY = /^[A-Za-z0-9-]{16,64}$/;
const HOUR_MS = 3_600_000;
/** What waited longer than this with an instance that could not reach anybody is history. */
const OLDEST_MS = 7 * 24 * HOUR_MS;
const NEWEST_MS = 2 * HOUR_MS;
/** Names are the instances' own words. Beyond so many of a kind, the rest are one. */
const MOST_NAMES = 5000;
const OTHER = 'other';
/** In one transaction: enough for any fleet, and a statement stays one that ends soon. */
const MOST_TOGETHER = 100;
/** Rows that may wait: some tens of megabytes. Beyond, an instance is asked to come again. */
const MOST_WAITING = 200_000;

export type Unpacked =
  { readonly kind: 'batch'; readonly batch: EventBatch } | { readonly kind: 'refused'; readonly refusal: Refusal };

export function batchKey(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && KEY.test(value) ? value : null;
}

export async function unpackBatch(bytes: Buffer, encoding: string): Promise<Unpacked> {
  let text = bytes;
  if (encoding === 'gzip') {
    try {
      // Bounded while it grows: a bomb costs what the bound is, and not what it would have become.
      text = (await unzip(bytes, { maxOutputLength: MAX_BATCH_TEXT })) as Buffer;
    } catch (error) {
      const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return refused(
        isBomb ? refuse('payload_too_large') : refuse('invalid_request', { message: 'The body is not valid gzip' }),
      );
    }
  } else if (encoding !== '' && encoding !== 'identity') {
    return refused(refuse('unsupported_encoding', { message: 'Content-Encoding is not supported, send gzip' }));
  }
  let value: unknown;
  try {
    value = JSON.parse(text.toString('utf8'));
  } catch {
    return refused(refuse('invalid_json'));
  }
  const batch = readBatch(value);
  return batch === null
    ? refused(refuse('invalid_request', { message: 'The body is no batch of events' }))
    : { kind: 'batch', batch };
}

/** So many at a time, so many more in line; null for whoever finds the line full. */
export function createTurns(most: number, mostWaiting: number) {
  const line: (() => void)[] = [];
  let busy = 0;
  return async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
    if (busy >= most) {
      if (line.length >= mostWaiting) return null;
      // Whoever leaves hands his place over, so the count stays what it is.
      await new Promise<void>((resolve) => line.push(resolve));
    } else busy += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}

export interface EventStore {
  /** Resolves once it is written down for good; false when it had been before, and `full` when too many wait for that. */
  store(key: string, group: string, batch: EventBatch): Promise<boolean | 'full'>;
}

interface Waiting {
  readonly key: string;
  readonly group: string;
  readonly batch: EventBatch;
  readonly settle: (fresh: boolean) => void;
  readonly fail: (error: unknown) => void;
}

type Grouped<Row> = Row & { readonly group_name: string };

/**
 * Whatever came while the last transaction ran goes into the next one together. All instances of a fleet count into the same
 * few rows, and one transaction each would wait for all the others in a line, disk write by disk write.
 */
export function createEventStore(database: Database): EventStore {
  const names = { upstream: new Set<string>(), signature: new Set<string>() };
  const known = (kind: keyof typeof names, name: string): string => {
    if (names[kind].has(name)) return name;
    if (names[kind].size >= MOST_NAMES) return OTHER;
    names[kind].add(name);
    return name;
  };
  let waiting: Waiting[] = [];
  let rowsWaiting = 0;
  let busy = false;

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) {
      const taken = new Map<string, Waiting>();
      const later: Waiting[] = [];
      for (const each of waiting) {
        // The same key twice at once: the second is told what became of the first.
        if (taken.size < MOST_TOGETHER && !taken.has(each.key)) taken.set(each.key, each);
        else later.push(each);
      }
      waiting = later;
      try {
        const fresh = await database.transaction((query) => write(query, taken));
        for (const [key, { settle }] of taken) settle(fresh.has(key));
      } catch (error) {
        for (const { fail } of taken.values()) fail(error);
      }
    }
    busy = false;
  }

  async function write(query: Query, taken: ReadonlyMap<string, Waiting>): Promise<ReadonlySet<string>> {
    const rows = await query(
      `insert into guard.batches (id) select value from jsonb_array_elements_text($1::jsonb) order by 1
       on conflict do nothing returning id`,
      [JSON.stringify([...taken.keys()])],
    );
    const fresh = new Set(rows.map(({ id }) => String(id)));
    const now = Date.now();
    const detections: Grouped<DetectionRow>[] = [];
    const latencies: Grouped<LatencyRow>[] = [];
    for (const [key, { group, batch }] of taken) {
      if (!fresh.has(key)) continue;
      for (const { hour, upstream, category, action, signature, shadow, count } of batch.detections) {
        if (!isDue(hour, now)) continue;
        detections.push({
          hour,
          group_name: group,
          upstream: known('upstream', upstream),
          category,
          action,
          signature: signature === '' ? '' : known('signature', signature),
          shadow,
          count,
        });
      }
      for (const { hour, upstream, bucket, count } of batch.latencies)
        if (isDue(hour, now))
          latencies.push({ hour, group_name: group, upstream: known('upstream', upstream), bucket, count });
    }
    // Always in one order: two servers that meet at the same rows wait for each other in a line and not in a circle.
    if (detections.length > 0)
      await query(
        `insert into guard.detections as d (hour, group_name, upstream, category, action, signature, shadow, count)
         select hour, group_name, upstream, category, action, signature, shadow, sum(count)
         from jsonb_to_recordset($1::jsonb) as r (hour timestamptz, group_name text, upstream text, category text,
           action text, signature text, shadow boolean, count bigint)
         group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
         on conflict (hour, group_name, upstream, category, action, signature, shadow)
         do update set count = d.count + excluded.count`,
        [JSON.stringify(detections)],
      );
    if (latencies.length > 0)
      await query(
        `insert into guard.latencies as l (hour, group_name, upstream, bucket, count)
         select hour, group_name, upstream, bucket, sum(count)
         from jsonb_to_recordset($1::jsonb) as r (hour timestamptz, group_name text, upstream text, bucket integer,
           count bigint)
         group by 1, 2, 3, 4 order by 1, 2, 3, 4
         on conflict (hour, group_name, upstream, bucket) do update set count = l.count + excluded.count`,
        [JSON.stringify(latencies)],
      );
    return fresh;
  }

  return {
    store: (key, group, batch) =>
      new Promise((settle, fail) => {
        const rows = batch.detections.length + batch.latencies.length;
        if (rowsWaiting + rows > MOST_WAITING) {
          settle('full');
          return;
        }
        rowsWaiting += rows;
        const leave = (): void => {
          rowsWaiting -= rows;
        };
        waiting.push({
          key,
          group,
          batch,
          settle(fresh) {
            leave();
            settle(fresh);
          },
          fail(error) {
            leave();
            fail(error);
          },
        });
        void work();
      }),
  };
}

function isDue(hour: string, now: number): boolean {
  const at = Date.parse(hour);
  return at > now - OLDEST_MS && at < now + NEWEST_MS;
}

function refused(refusal: Refusal): Unpacked {
  return { kind: 'refused', refusal };
}
