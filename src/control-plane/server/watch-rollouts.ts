import { FAULTS_OF_THE_BUNDLE } from '../bundle.ts';
import type { Admin } from './admin.ts';
import type { Database } from './database.ts';
import type { Fleet } from './fleet.ts';
import { haltReason, reachingRollouts, type HaltRules, type Rollout } from './rollouts.ts';

/**
 * Compares the roll-outs of each group with what its instances report, and halts automatically those that do harm.
 * Only a fault of the bundle counts as harm: an instance that joins after the bundle has expired, comes from a newer
 * one, has its clock wrong or has no key of the author would otherwise take it from everybody else.
 */
export async function watchRollouts(
  database: Database,
  fleet: Fleet,
  admin: Admin,
  rules: HaltRules & { readonly recent_s: number },
  halted: (version: number, reason: string) => void,
): Promise<void> {
  for (const rollouts of fleet.rollouts().values()) {
    const reaching = reachingRollouts(rollouts);
    for (const [at, rollout] of reaching.entries()) {
      const newer = reaching.slice(0, at).map(({ version }) => version);
      const reason = await harmOf(database, rollout, newer, rules);
      if (reason === null) continue;
      const done = await admin.changeRollout(rollout.id, { halt: reason });
      if ('value' in done) halted(rollout.version, reason);
    }
  }
}

/**
 * The reason to halt a roll-out, or null. Instances that refused its bundle say nothing about what was before it, and
 * those with the bundle of a `newer` roll-out neither: what that one mended is not to be held against this one.
 */
async function harmOf(
  database: Database,
  { id, group, version }: Rollout,
  newer: readonly number[],
  rules: HaltRules & { readonly recent_s: number },
): Promise<string | null> {
  const [row] = await database.query(
    `with known as (
       select bundle_version = $2 as has_it, requests, blocked,
         bundle_version <> $2 and refused_version is distinct from $2
           and bundle_version not in (select value::int from jsonb_array_elements_text($5::jsonb)) as is_other,
         refused_version = $2 and refused_fault in (select value from jsonb_array_elements_text($6::jsonb)) as refuses,
         refused_fault
       from guard.instances where group_name = $1 and seen_at > now() - make_interval(secs => $4))
     select
       count(*) filter (where refuses)::int as refusals,
       coalesce(max(refused_fault) filter (where refuses), '') as fault,
       coalesce(sum(requests) filter (where has_it), 0)::float8 as requests,
       coalesce(sum(blocked) filter (where has_it), 0)::float8 as blocked,
       coalesce(sum(requests) filter (where is_other), 0)::float8 as others_requests,
       coalesce(sum(blocked) filter (where is_other), 0)::float8 as others_blocked,
       (select r.requests_before::float8 from guard.rollouts r where r.id = $3) as requests_before,
       (select r.blocked_before::float8 from guard.rollouts r where r.id = $3) as blocked_before
     from known`,
    [group, version, id, rules.recent_s, JSON.stringify(newer), JSON.stringify(FAULTS_OF_THE_BUNDLE)],
  );
  const told = row as Record<string, number>;
  return haltReason(rules, told.refusals!, String(told.fault), {
    after: { requests: told.requests!, blocked: told.blocked! },
    others: { requests: told.others_requests!, blocked: told.others_blocked! },
    baseline: { requests: told.requests_before!, blocked: told.blocked_before! },
  });
}
