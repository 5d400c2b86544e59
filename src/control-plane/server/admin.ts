import { policyProblems } from '../../config/with-policy.ts';
import { NAME, NAME_RULE } from '../../domain/name.ts';
import { formatProblem } from '../../domain/problem.ts';
import { FLEET_SCOPES } from '../../domain/scope.ts';
import type { Key } from '../../http/auth.ts';
import { BUNDLE_FAULTS, clockFault, openBundle, type Manifest } from '../bundle.ts';
import type { TrustedKey } from '../bundle-keys.ts';
import { mergeSignatures } from '../bundle-payload.ts';
import { createKey } from '../new-key.ts';
import type { Database, Query, Row } from './database.ts';
import { etagOf } from './fleet.ts';

/** Changes by administrators. Each increments the revision in the same transaction, so that every server notices it. */

/** The result of a change, or a sentence that says why it was refused. */
export type Done<Value> = { readonly value: Value } | { readonly fault: string };

export interface Admin {
  keys(): Promise<readonly Row[]>;
  /** The key itself is only in the result of this call and is not stored. */
  createKey(id: string, scopes: readonly string[]): Promise<Done<{ readonly id: string; readonly key: string }>>;
  revokeKey(id: string): Promise<Done<null>>;
  groups(): Promise<readonly Row[]>;
  createGroup(name: string): Promise<Done<null>>;
  /** Null removes the policy; instances then use the policy of their own file. */
  setPolicy(group: string, policy: unknown): Promise<Done<{ readonly etag: string | null }>>;
  moveInstance(id: string, group: string): Promise<Done<null>>;
  bundles(): Promise<readonly Row[]>;
  addBundle(bytes: Buffer): Promise<Done<{ readonly version: number; readonly digest: string }>>;
  rollouts(): Promise<readonly Row[]>;
  startRollout(group: string, version: number, percent: number): Promise<Done<{ readonly id: number }>>;
  changeRollout(id: number, change: { readonly percent?: number; readonly halt?: string }): Promise<Done<null>>;
}

/** Revoked keys do not count: rotation must not come to an end. */
const MOST_KEYS = 10_000;
const MOST_GROUPS = 1000;
const MAX_POLICY_CHARS = 262_144;

export interface AdminSettings {
  readonly trusted: readonly TrustedKey[];
  /** The version of this server. */
  readonly engine: string;
  /** The keys of the configuration file. */
  readonly configured: readonly Key[];
  /** Seconds within which an instance must have been heard to count in the baseline of a roll-out. */
  readonly recentS: number;
}

export function createAdmin(
  database: Database,
  { trusted, engine, configured, recentS }: AdminSettings,
  changed: () => Promise<void>,
): Admin {
  async function change<Value>(work: (query: Query) => Promise<Done<Value>>): Promise<Done<Value>> {
    const done = await database.transaction(async (query) => {
      const result = await work(query);
      if ('value' in result)
        await query(`update guard.settings set value = (value::bigint + 1)::text where name = 'revision'`);
      return result;
    });
    // The change is committed, and a new key is shown only once. So a failed refresh is ignored: the timer refreshes
    // soon.
    if ('value' in done) await changed().catch(() => {});
    return done;
  }

  return {
    keys: async () => [
      ...configured.map(({ id, scopes }) => ({ id, scopes: [...scopes], from: 'file', created_at: null })),
      ...(
        await database.query('select id, scopes, created_at from guard.keys where revoked_at is null order by id')
      ).map(({ id, scopes, created_at }) => ({ id, scopes: String(scopes).split(','), created_at, from: 'database' })),
    ],
    createKey: (id, scopes) =>
      change(async (query) => {
        if (!NAME.test(id)) return fault(`id takes ${NAME_RULE}`);
        const known: readonly string[] = FLEET_SCOPES;
        if (scopes.length === 0 || !scopes.every((scope) => known.includes(scope)))
          return fault(`scopes takes one or more of ${FLEET_SCOPES.join(', ')}`);
        const [count] = await query('select count(*)::int as n from guard.keys where revoked_at is null');
        if (Number(count!.n) >= MOST_KEYS)
          return fault(`there are ${MOST_KEYS} keys already; revoke one that is not used any more`);
        const { key, sha256 } = createKey();
        // A revoked id stays taken, so that what was counted under it is never attributed to another key.
        const made = configured.some((one) => one.id === id)
          ? []
          : await query(
              'insert into guard.keys (id, sha256, scopes) values ($1, $2, $3) on conflict (id) do nothing returning id',
              [id, sha256, [...new Set(scopes)].join(',')],
            );
        return made.length === 0 ? fault('this id is taken') : { value: { id, key } };
      }),
    revokeKey: (id) =>
      change(async (query) => {
        if (configured.some((key) => key.id === id)) return fault('this key stands in the configuration file');
        if (!configured.some(({ scopes }) => scopes.includes('admin'))) {
          // Locked, so that two administrators cannot revoke each other's key at the same time.
          const admins = await query(
            `select id from guard.keys where revoked_at is null and scopes like '%admin%' order by id for update`,
          );
          if (admins.length === 1 && admins[0]!.id === id)
            return fault('this is the last key with the scope admin; create another one first');
        }
        const rows = await query(
          'update guard.keys set revoked_at = now() where id = $1 and revoked_at is null returning id',
          [id],
        );
        return rows.length === 0 ? fault('there is no such key') : { value: null };
      }),
    groups: () => database.query('select name, policy, policy_etag from guard.groups order by name'),
    createGroup: (name) =>
      change(async (query) => {
        if (!NAME.test(name)) return fault(`name takes ${NAME_RULE}`);
        const [count] = await query('select count(*)::int as n from guard.groups');
        if (Number(count!.n) >= MOST_GROUPS) return fault(`there are ${MOST_GROUPS} groups already`);
        const rows = await query('insert into guard.groups (name) values ($1) on conflict do nothing returning name', [
          name,
        ]);
        return rows.length === 0 ? fault('this group exists') : { value: null };
      }),
    setPolicy: (group, policy) =>
      change(async (query) => {
        const [first] = policy === null ? [] : policyProblems(policy);
        if (first !== undefined) return fault(`${first.path}: ${first.message}`);
        const text = policy === null ? null : JSON.stringify(policy);
        if (text !== null && text.length > MAX_POLICY_CHARS) return fault('the policy is too large');
        const etag = text === null ? null : etagOf(text);
        const rows = await query(
          'update guard.groups set policy = $2, policy_etag = $3 where name = $1 returning name',
          [group, text, etag],
        );
        return rows.length === 0 ? fault('there is no such group') : { value: { etag } };
      }),
    moveInstance: (id, group) =>
      change(async (query) => {
        const rows = await query(
          'update guard.instances set group_name = $2 where id = $1 and exists (select 1 from guard.groups where name = $2) returning id',
          [id, group],
        );
        return rows.length === 0 ? fault('there is no such instance, or no such group') : { value: null };
      }),
    bundles: () =>
      database.query(
        'select version, digest, manifest, uploaded_at from guard.bundles order by version desc limit 100',
      ),
    addBundle: (bytes) =>
      change(async (query) => {
        // `engine` is the version of this server. Each proxy checks the minimum version for itself.
        const opened = openBundle(bytes, { trusted, now: Date.now(), engine, floor: 0, held: null });
        if (opened.kind === 'refused') return fault(`the bundle ${BUNDLE_FAULTS[opened.fault]} (${opened.fault})`);
        const { manifest, digest, payload } = opened.bundle;
        const [last] = await query(
          `select coalesce(max(version), 0)::int as version, coalesce(bool_or(digest = $1), false) as here
           from guard.bundles`,
          [digest],
        );
        if (last!.here === true) return fault(`this bundle is here already, as version ${manifest.version}`);
        if (manifest.version <= Number(last!.version))
          return fault(
            `the bundle has version ${manifest.version}, and there is one of version ${last!.version}: sign it again with a higher one`,
          );
        const [problem] = mergeSignatures([], payload, []).problems;
        if (problem !== undefined) return fault(`no proxy would take the bundle: ${formatProblem(problem)}`);
        // Two uploads of the same version at the same time do not see each other in the query above.
        const rows = await query(
          `insert into guard.bundles (version, digest, manifest, bytes) values ($1, $2, $3, decode($4, 'base64'))
           on conflict do nothing returning version`,
          [manifest.version, digest, JSON.stringify(manifest), bytes.toString('base64')],
        );
        return rows.length === 0
          ? fault('there is a bundle of this version already')
          : { value: { version: manifest.version, digest } };
      }),
    rollouts: () =>
      database.query(
        `select r.id, r.group_name, r.version, r.percent, r.state, r.reason, r.created_at, r.changed_at,
           (select count(*)::int from guard.instances i where i.group_name = r.group_name) as instances,
           (select count(*)::int from guard.instances i
             where i.group_name = r.group_name and i.bundle_version = r.version) as taken,
           (select count(*)::int from guard.instances i
             where i.group_name = r.group_name and i.refused_version = r.version) as refused
         from guard.rollouts r order by r.id desc limit 50`,
      ),
    startRollout: (group, version, percent) =>
      change(async (query) => {
        if (!isPercent(percent)) return fault('percent takes a whole number from 0 to 100');
        const [bundle] = await query('select manifest from guard.bundles where version = $1', [version]);
        if (
          bundle !== undefined &&
          clockFault(JSON.parse(String(bundle.manifest)) as Manifest, Date.now()) === 'expired'
        )
          return fault('this bundle has expired, and no instance would take it: sign it again with a higher version');
        const rows = await query(
          `insert into guard.rollouts (group_name, version, percent, state, requests_before, blocked_before)
           select $1, $2, $3, 'running', coalesce(sum(requests), 0)::bigint, coalesce(sum(blocked), 0)::bigint
           from guard.instances
           where group_name = $1 and bundle_version <> $2 and seen_at > now() - make_interval(secs => $4)
           having exists (select 1 from guard.groups where name = $1)
             and exists (select 1 from guard.bundles where version = $2)
           returning id`,
          [group, version, percent, recentS],
        );
        if (rows.length > 0) return { value: { id: Number(rows[0]!.id) } };
        const groups = await query('select 1 from guard.groups where name = $1', [group]);
        return fault(groups.length === 0 ? 'there is no such group' : 'there is no bundle of this version');
      }),
    changeRollout: (id, { percent, halt }) =>
      change(async (query) => {
        if (percent !== undefined && !isPercent(percent)) return fault('percent takes a whole number from 0 to 100');
        // A halted roll-out stays halted: a fixed bundle has a version of its own.
        const rows =
          halt !== undefined
            ? await query(
                `update guard.rollouts set state = 'halted', reason = $2, changed_at = now()
                 where id = $1 and state = 'running' returning id`,
                [id, halt.slice(0, 300)],
              )
            : await query(
                `update guard.rollouts set percent = $2, changed_at = now() where id = $1 and state = 'running' returning id`,
                [id, percent ?? 0],
              );
        return rows.length === 0 ? fault('there is no such roll-out under way') : { value: null };
      }),
  };
}

function isPercent(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100;
}

function fault(sentence: string): { readonly fault: string } {
  return { fault: sentence };
}
