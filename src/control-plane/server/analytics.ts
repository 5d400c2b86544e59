import type { Database, Row } from './database.ts';

/** The queries behind the console: sums per hour. All of them only read. */

export interface Window {
  readonly hours: number;
  /** Null for all groups. */
  readonly group: string | null;
}

const MOST_INSTANCES = 500;
const TOP = 20;
/** A month of hours with everything that may stand in them. Of more than that the oldest hours are left out. */
const MOST_OVER_TIME = 20_000;

/** A page of instances, sorted by id, that starts behind `after`. */
export async function fleetTable(database: Database, after: string, limit: number): Promise<readonly Row[]> {
  return database.query(
    `select id, name, group_name, version, bundle_version, policy_etag, signatures, refused_version, refused_fault,
       requests::float8 as requests, blocked::float8 as blocked, dropped::float8 as dropped, key_id,
       registered_at, seen_at, extract(epoch from now() - seen_at)::int as seen_s
     from guard.instances where id > $1 order by id limit $2`,
    [after, Math.min(limit, MOST_INSTANCES)],
  );
}

/** Counts all instances, and those that were heard within the last `aliveS` seconds. */
export async function fleetCounts(database: Database, aliveS: number): Promise<Row> {
  const [row] = await database.query(
    `select count(*)::int as instances,
       count(*) filter (where seen_at > now() - make_interval(secs => $1))::int as alive,
       coalesce(sum(dropped), 0)::float8 as dropped
     from guard.instances`,
    [aliveS],
  );
  return row!;
}

export async function analytics(database: Database, { hours, group }: Window): Promise<Record<string, readonly Row[]>> {
  const where = `hour > now() - make_interval(hours => $1) and ($2::text is null or group_name = $2)`;
  const values = [hours, group];
  const ask = (sql: string): Promise<readonly Row[]> => database.query(sql, values);
  return {
    overTime: await ask(
      `select * from (
         select hour, category, action, sum(count)::float8 as count from guard.detections
         where not shadow and ${where} group by 1, 2, 3 order by 1 desc, 2, 3 limit ${MOST_OVER_TIME}) newest
       order by 1, 2, 3`,
    ),
    signatures: await ask(
      `select signature, category, action, sum(count)::float8 as count from guard.detections
       where not shadow and signature <> '' and ${where} group by 1, 2, 3 order by 4 desc, 1 limit ${TOP}`,
    ),
    shadow: await ask(
      `select upstream, category, action, sum(count)::float8 as count from guard.detections
       where shadow and ${where} group by 1, 2, 3 order by 4 desc, 1 limit ${TOP * 5}`,
    ),
    upstreams: await ask(
      `select upstream, action, sum(count)::float8 as count from guard.detections
       where not shadow and ${where} group by 1, 2 order by 1, 2 limit 1000`,
    ),
    latency: await ask(
      `select upstream, bucket, sum(count)::float8 as count from guard.latencies
       where ${where} group by 1, 2 order by 1, 2 limit 5000`,
    ),
  };
}

/** The number of hosted checks per key. */
export async function usage(database: Database, hours: number): Promise<readonly Row[]> {
  return database.query(
    `select key_id, sum(count)::float8 as count, sum(blocked)::float8 as blocked from guard.checks
     where hour > now() - make_interval(hours => $1) group by 1 order by 2 desc limit 1000`,
    [hours],
  );
}
