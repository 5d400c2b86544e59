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
  rules: HaltRules & { readonly recent_s: number },
  halted: (version: number, reason: string) => void,
): Promise<void> {
  for (const [group, rollouts] of fleet.rollouts()) {
    const newest = rollouts.find(({ state }) => state === 'running');
    if (newest === undefined) continue;
    const { id, version } = newest;
    const [row] = await database.query(
      `select
         coalesce(sum(case when i.refused_version = $2 then 1 else 0 end), 0)::int as refusals,
         coalesce(max(case when i.refused_version = $2 then i.refused_fault end), '') as fault,
         coalesce(sum(case when i.bundle_version = $2 then i.requests else 0 end), 0)::float8 as requests,
         coalesce(sum(case when i.bundle_version = $2 then i.blocked else 0 end), 0)::float8 as blocked,
         coalesce(sum(case when i.bundle_version <> $2 then i.requests else 0 end), 0)::float8 as others_requests,
         coalesce(sum(case when i.bundle_version <> $2 then i.blocked else 0 end), 0)::float8 as others_blocked,
         (select r.requests_before::float8 from guard.rollouts r where r.id = $3) as requests_before,
         (select r.blocked_before::float8 from guard.rollouts r where r.id = $3) as blocked_before
       from guard.instances i where i.group_name = $1 and i.seen_at > now() - make_interval(secs => $4)`,
      [group, version, id, rules.recent_s],
    );
    const told = row as Record<string, number>;
    const reason = haltReason(rules, told.refusals!, String(told.fault), {
      after: { requests: told.requests!, blocked: told.blocked! },
      others: { requests: told.others_requests!, blocked: told.others_blocked! },
      baseline: { requests: told.requests_before!, blocked: told.blocked_before! },
    });
    if (reason === null) continue;
    const done = await admin.changeRollout(id, { halt: reason });
    if ('value' in done) halted(version, reason);
  }
}
