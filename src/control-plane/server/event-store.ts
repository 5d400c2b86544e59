import { OTHER, type DetectionRow, type EventBatch, type LatencyRow } from '../protocol.ts';
import type { Database, Query } from './database.ts';

/** Adds batches of counts from instances to the sums of their hours, each exactly once. */

const HOUR_MS = 3_600_000;
/** Counts older than this are ignored. */
const OLDEST_MS = 7 * 24 * HOUR_MS;
const NEWEST_MS = 2 * HOUR_MS;
/** Names are chosen by the instances. Beyond this number per kind, new ones are counted as `other`. */
const MOST_NAMES = 5000;
/** Batches written in one transaction. This is enough for any fleet and keeps each statement short. */
const MOST_TOGETHER = 100;
/** Rows that may wait in memory, some tens of megabytes. Beyond that an instance is told to try again later. */
const MOST_WAITING = 200_000;

export interface EventStore {
  /**
   * Resolves once the batch is committed: true if it is new, false if it was stored before, `full` if too many are
   * waiting.
   */
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
 * All batches that arrive while a transaction runs go into the next one together. The instances of a fleet add to the
 * same few rows, and with a transaction for each batch they would all wait for each other's disk writes.
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
        // When the same key is waiting twice, the second is written after the first and is then reported as a
        // duplicate.
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
    // The rows are always in the same order, so that two servers that update the same rows wait for each other
    // instead of causing a deadlock.
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
