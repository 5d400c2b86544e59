import type { Admin } from './admin.ts';
import type { Database } from './database.ts';
import type { Fleet } from './fleet.ts';
import { haltReason, type HaltRules } from './rollouts.ts';

/**
 * Compares each group's newest roll-out with what its instances report, and halts it automatically when it does harm.
 */
export async function watchRollouts(
  database: Database,
  fleet: Fleet,
  admin: Admin,
  rules: HaltRules,
  halted: (version: number, reason: string) => void,
): Promise<void> {
  for (const [group, rollouts] of fleet.rollouts()) {
    const newest = rollouts.find(({ state }) => state === 'running');
    if (newest === undefined) continue;
    const { id, version } = newest;
    const [row] = await database.query(
      `select
         coalesce(sum(case when refused_version = $2 then 1 else 0 end), 0)::int as refusals,
         coalesce(max(case when refused_version = $2 then refused_fault end), '') as fault,
         coalesce(sum(case when bundle_version = $2 then requests else 0 end), 0)::float8 as requests,
         coalesce(sum(case when bundle_version = $2 then blocked else 0 end), 0)::float8 as blocked,
         coalesce(sum(case when bundle_version <> $2 then requests else 0 end), 0)::float8 as requests_before,
         coalesce(sum(case when bundle_version <> $2 then blocked else 0 end), 0)::float8 as blocked_before
       from guard.instances where group_name = $1`,
      [group, version],
    );
    const { refusals, fault, requests, blocked, requests_before, blocked_before } = row as Record<string, number>;
    const reason = haltReason(
      rules,
      refusals!,
      String(fault),
      { requests: requests!, blocked: blocked! },
      { requests: requests_before!, blocked: blocked_before! },
    );
    if (reason === null) continue;
    const done = await admin.changeRollout(id, { halt: reason });
    if ('value' in done) halted(version, reason);
  }
}
