import { createHash, randomBytes } from 'node:crypto';
import type { Heartbeat, Orders, Registration } from '../protocol.ts';
import type { Database, Row } from './database.ts';
import type { Key } from '../../http/auth.ts';
import type { Access } from './access.ts';
import { desiredVersion, placeOf, type Rollout } from './rollouts.ts';

/**
 * The state of the fleet that each server keeps in memory. A heartbeat is answered from memory and written to the
 * database later, together with many others: ten thousand instances must not cause ten thousand transactions, and no
 * instance should notice when the database is away for a minute.
 */

export interface Instance {
  readonly id: string;
  readonly group: string;
  readonly keyId: string;
  readonly place: number;
}

export interface Fleet {
  /** Reads the changes made here or on another server. */
  refresh(): Promise<void>;
  register(keyId: string, registration: Registration): Promise<Instance | 'full'>;
  find(id: string): Promise<Instance | null>;
  beat(instance: Instance, heartbeat: Heartbeat): void;
  orders(instance: Instance): Orders;
  policyOf(group: string): { readonly etag: string; readonly text: string } | null;
  bundleBytes(version: number): Promise<{ readonly digest: string; readonly bytes: Buffer } | null>;
  /** Writes the heartbeats since the last flush to the database. */
  flush(): Promise<void>;
  /** Roll-outs by group, newest first, including halted ones. */
  rollouts(): ReadonlyMap<string, readonly Rollout[]>;
}

export interface FleetSettings {
  readonly heartbeat_s: number;
  readonly max_instances: number;
}

const MOST_BYTES_CACHED = 4;

export function createFleet(
  database: Database,
  settings: FleetSettings,
  access: Access,
  configured: readonly Key[],
): Fleet {
  let revision = '';
  let groups = new Map<string, { etag: string | null; policy: string | null }>();
  let rollouts = new Map<string, Rollout[]>();
  let digests = new Map<number, string>();
  let instances = new Map<string, Instance>();
  const bytes = new Map<number, Buffer>();
  let heard = new Map<string, Row>();

  const instanceOf = (row: Row): Instance => {
    const id = String(row.id);
    return { id, group: String(row.group_name), keyId: String(row.key_id), place: placeOf(id) };
  };

  /**
   * Refreshes run one after the other. If two ran at once, the older result could arrive last and bring back a
   * revoked key.
   */
  let last: Promise<void> = Promise.resolve();
  function refresh(): Promise<void> {
    const next = last.then(read);
    last = next.catch(() => {});
    return next;
  }

  async function read(): Promise<void> {
    const [row] = await database.query(`select value from guard.settings where name = 'revision'`);
    if (row === undefined || row.value === revision) return;
    const [keys, groupRows, rolloutRows, bundles, instanceRows] = [
      await database.query('select id, sha256, scopes from guard.keys where revoked_at is null'),
      await database.query('select name, policy, policy_etag from guard.groups'),
      await database.query('select id, group_name, version, percent, state from guard.rollouts order by id desc'),
      await database.query('select version, digest from guard.bundles'),
      await database.query('select id, group_name, key_id from guard.instances limit $1', [settings.max_instances]),
    ];
    const kept = keys.map((key) => ({
      id: String(key.id),
      sha256: String(key.sha256),
      scopes: String(key.scopes).split(','),
    }));
    access.know([...configured, ...kept]);
    groups = new Map(
      groupRows.map(({ name, policy, policy_etag }) => [
        String(name),
        { etag: policy_etag as string | null, policy: policy as string | null },
      ]),
    );
    rollouts = new Map();
    for (const { id, group_name, version, percent, state } of rolloutRows) {
      const rollout = { id, group: group_name, version, percent, state } as Rollout;
      const list = rollouts.get(rollout.group);
      if (list === undefined) rollouts.set(rollout.group, [rollout]);
      else if (list.length < 100) list.push(rollout);
    }
    digests = new Map(bundles.map(({ version, digest }) => [Number(version), String(digest)]));
    instances = new Map(instanceRows.map((row) => [String(row.id), instanceOf(row)]));
    // Set last, so that a read that failed halfway is repeated.
    revision = String(row.value);
  }

  async function find(id: string): Promise<Instance | null> {
    const known = instances.get(id);
    if (known !== undefined) return known;
    const [row] = await database.query('select id, group_name, key_id from guard.instances where id = $1', [id]);
    if (row === undefined) return null;
    const instance = instanceOf(row);
    instances.set(id, instance);
    return instance;
  }

  const fleet: Fleet = {
    refresh,
    find,
    async register(keyId, { instanceId, name, group, version }) {
      const known = instanceId === null ? null : await find(instanceId);
      // An instance is not transferred to another key: whoever lost the key registers a new instance.
      const id = known !== null && known.keyId === keyId ? known.id : randomBytes(16).toString('hex');
      // The limit is checked in the database. This server's memory lacks instances that others registered and may
      // hold ones that were removed.
      const [row] = await database.query(
        `insert into guard.instances (id, key_id, name, group_name, version)
         select $1, $2, $3, coalesce((select name from guard.groups where name = $4), 'default'), $5
         where exists (select 1 from guard.instances where id = $1) or (select count(*) from guard.instances) < $6
         on conflict (id) do update set name = excluded.name, version = excluded.version, seen_at = now()
         returning id, group_name, key_id`,
        [id, keyId, name, group, version, settings.max_instances],
      );
      if (row === undefined) return 'full';
      const instance = instanceOf(row);
      instances.set(id, instance);
      return instance;
    },
    beat({ id }, heartbeat) {
      heard.set(id, {
        id,
        heard_ms: performance.now(),
        version: heartbeat.version,
        bundle_version: heartbeat.bundleVersion,
        policy_etag: heartbeat.policyEtag,
        signatures: heartbeat.signatures,
        refused_version: heartbeat.refused?.version ?? null,
        refused_fault: heartbeat.refused?.fault ?? null,
        requests: heartbeat.requests,
        blocked: heartbeat.blocked,
        dropped: heartbeat.dropped,
      });
    },
    orders({ group, place }) {
      const version = desiredVersion(rollouts.get(group) ?? [], place);
      const digest = version === null ? undefined : version === 0 ? '' : digests.get(version);
      return {
        heartbeatS: settings.heartbeat_s,
        bundle: version === null || digest === undefined ? null : { version, digest },
        policyEtag: groups.get(group)?.etag ?? null,
      };
    },
    policyOf(group) {
      const { etag, policy } = groups.get(group) ?? { etag: null, policy: null };
      return etag === null || policy === null ? null : { etag, text: policy };
    },
    async bundleBytes(version) {
      const digest = digests.get(version);
      if (digest === undefined) return null;
      let held = bytes.get(version);
      if (held === undefined) {
        const [row] = await database.query(
          `select encode(bytes, 'base64') as bytes from guard.bundles where version = $1`,
          [version],
        );
        if (row === undefined) return null;
        held = Buffer.from(String(row.bytes), 'base64');
        if (bytes.size >= MOST_BYTES_CACHED) bytes.delete(bytes.keys().next().value!);
        bytes.set(version, held);
      }
      return { digest, bytes: held };
    },
    async flush() {
      if (heard.size === 0) return;
      const taken = heard;
      heard = new Map();
      const now = performance.now();
      const rows = [...taken.values()].map(({ heard_ms, ...row }) =>
        Object.assign(row, { age_s: (now - Number(heard_ms)) / 1000 }),
      );
      try {
        // The time is that of the database alone, since the clocks of servers differ. One that could not write for a
        // while must not overwrite what another has heard since.
        await database.query(
          `update guard.instances i set
             seen_at = now() - make_interval(secs => b.age_s), version = b.version, bundle_version = b.bundle_version, policy_etag = b.policy_etag,
             signatures = b.signatures, refused_version = b.refused_version, refused_fault = b.refused_fault,
             requests = b.requests, blocked = b.blocked, dropped = b.dropped
           from (select * from jsonb_to_recordset($1::jsonb) as r (
             id text, age_s float8, version text, bundle_version integer, policy_etag text, signatures integer,
             refused_version integer, refused_fault text, requests bigint, blocked bigint, dropped bigint)
             order by id) b
           where i.id = b.id and (i.seen_at <= now() - make_interval(secs => b.age_s) or i.seen_at > now())`,
          [JSON.stringify(rows)],
        );
      } catch (error) {
        // Kept for the next attempt, unless a newer heartbeat has arrived.
        for (const [id, row] of taken) if (!heard.has(id)) heard.set(id, row);
        throw error;
      }
    },
    rollouts: () => rollouts,
  };
  return fleet;
}

export function etagOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
