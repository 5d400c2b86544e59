import type { Database } from './database.ts';

/** Deletes analytics and instances that are too old. */
export async function forget(database: Database, retentionDays: number, forgetDays: number): Promise<void> {
  for (const table of ['detections', 'latencies', 'checks'])
    await database.query(`delete from guard.${table} where hour < now() - make_interval(days => $1)`, [retentionDays]);
  // The id of a revoked key stays taken as long as something is kept that was done with it.
  await database.query(
    `delete from guard.keys k where k.revoked_at < now() - make_interval(days => $1)
       and not exists (select 1 from guard.checks c where c.key_id = k.id)
       and not exists (select 1 from guard.instances i where i.key_id = k.id)`,
    [retentionDays],
  );
  // An instance retries a batch for a day at most, so its idempotency key is no longer needed.
  await database.query(`delete from guard.batches where received_at < now() - make_interval(days => 8)`);
  // The revision is incremented because every server keeps its instances in memory. Without that it would keep
  // answering a removed instance, which is listed nowhere.
  await database.query(
    `with gone as (delete from guard.instances where seen_at < now() - make_interval(days => $1) returning id)
     update guard.settings set value = (value::bigint + 1)::text where name = 'revision' and exists (select 1 from gone)`,
    [forgetDays],
  );
}
