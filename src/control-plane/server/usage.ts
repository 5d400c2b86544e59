import type { Database } from './database.ts';

/** Counts the texts checked by each key, per hour. Counts are kept in memory and written with the next flush. */

export interface Usage {
  count(key: string, blocked: boolean): void;
  flush(): Promise<void>;
}

const HOUR_MS = 3_600_000;

export function createUsage(database: Database): Usage {
  let counts = new Map<string, { hour: string; key_id: string; count: number; blocked: number }>();
  const add = (hour: string, key: string, count: number, blocked: number): void => {
    const at = `${hour} ${key}`;
    const row = counts.get(at);
    if (row === undefined) counts.set(at, { hour, key_id: key, count, blocked });
    else {
      row.count += count;
      row.blocked += blocked;
    }
  };
  return {
    count(key, blocked) {
      add(new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString(), key, 1, blocked ? 1 : 0);
    },
    async flush() {
      if (counts.size === 0) return;
      const taken = counts;
      counts = new Map();
      try {
        await database.query(
          `insert into guard.checks as c (hour, key_id, count, blocked)
           select hour, key_id, count, blocked
           from jsonb_to_recordset($1::jsonb) as r (hour timestamptz, key_id text, count bigint, blocked bigint)
           order by 1, 2
           on conflict (hour, key_id) do update set count = c.count + excluded.count, blocked = c.blocked + excluded.blocked`,
          [JSON.stringify([...taken.values()])],
        );
      } catch (error) {
        for (const { hour, key_id, count, blocked } of taken.values()) add(hour, key_id, count, blocked);
        throw error;
      }
    },
  };
}
