import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import type { ControlPlaneConfig } from '../../config/control-plane.ts';
import { pageFile } from '../../console/page.ts';
import { closeAll, type Opened } from '../../domain/opened.ts';
import { createClientAddress } from '../../http/client.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { createLog, type Log } from '../../observe/log.ts';
import { VERSION } from '../../version.ts';
import { readPublicKey, type TrustedKey } from '../bundle-keys.ts';
import { createKey } from '../new-key.ts';
import { createAccess } from './access.ts';
import { createAdmin } from './admin.ts';
import { forget } from './analytics.ts';
import { createHosted } from './check.ts';
import { openDatabase, type Database } from './database.ts';
import { createEventStore } from './events.ts';
import { createFleet } from './fleet.ts';
import { listen } from './listen.ts';
import { recentWithin } from './rollouts.ts';
import { routesOf } from './routes.ts';
import { createTimers } from './timers.ts';
import { createUsage } from './usage.ts';
import { watchRollouts } from './watch.ts';

/** The composition root of the control plane: builds a running server from a configuration. */

export interface ControlPlane {
  readonly address: { readonly host: string; readonly port: number };
  readonly log: Log;
  readonly storage: Database['kind'];
  /** The file with the first administrator's key, if this start created one. */
  readonly firstKeyFile: string | null;
  close(): Promise<void>;
}

const OPENAPI = readFileSync(new URL('openapi.json', import.meta.url));

const FLUSH_MS = 1000;
/**
 * How long it takes at most until another server sees a change made on this one. This server applies its own changes
 * at once, for example when a key is revoked.
 */
const REFRESH_MS = 2000;
const WATCH_MS = 1000;
const FORGET_MS = 3_600_000;

export async function startControlPlane(
  config: ControlPlaneConfig,
  extras: { readonly logTo?: DestinationStream } = {},
): Promise<ControlPlane> {
  const log = createLog(config.logging.level, extras.logTo);
  const database = await openDatabase(config.storage, () =>
    log.event('warn', 'a connection to the storage of the control plane was lost'),
  );
  const undo: Opened = [() => database.close()];
  const close = async (): Promise<void> => {
    await closeAll(undo);
    log.flush();
  };
  try {
    const access = createAccess(await sessionSecret(database));
    await refuseTakenIds(database, config);
    const firstKeyFile = await firstKey(database, config);
    const fleet = createFleet(database, config.fleet, access, config.keys);
    await fleet.refresh();
    const trusted = config.trusted_keys.map(readPublicKey).filter((key): key is TrustedKey => key !== null);
    const recentS = recentWithin(config.fleet.heartbeat_s);
    const admin = createAdmin(database, { trusted, engine: VERSION, configured: config.keys, recentS }, () =>
      fleet.refresh(),
    );
    const usage = createUsage(database);
    const onStore = (up: boolean, code?: string): void =>
      log.event('warn', 'rate limit store of the control plane came or went', {
        reason: up ? 'connected' : 'away',
        ...(code === undefined ? {} : { error_code: code }),
      });
    const checkLimit = await createRateLimit({ check: config.check, store: config.check.store }, onStore);
    undo.push(() => checkLimit.close());
    const loginLimit = await createRateLimit({ check: { points: 30, per_s: 60 }, store: 'memory' }, onStore);
    undo.push(() => loginLimit.close());
    const hosted = config.check.enabled
      ? await createHosted(
          config.check,
          () => fleet.policyOf('default'),
          (event) => log.event('error', 'a scanning thread of the control plane failed', { reason: event }),
        )
      : null;
    if (hosted !== null) undo.push(() => hosted.close());

    const clientAddress = createClientAddress(config.server.trusted_proxies);
    const routes = routesOf({
      database,
      access,
      fleet,
      admin,
      events: createEventStore(database),
      usage,
      hosted,
      limitCheck: checkLimit.limit,
      limitLogin: loginLimit.limit,
      clientOf: ({ request }) => clientAddress(request),
      heartbeatS: config.fleet.heartbeat_s,
      maxCheckBytes: config.check.max_bytes,
      version: VERSION,
      page: pageFile,
      openapi: OPENAPI,
    });

    const timers = createTimers(log);
    undo.push(() => timers.stop());
    timers.every(FLUSH_MS, async () => {
      await fleet.flush();
      await usage.flush();
    });
    timers.every(REFRESH_MS, () => fleet.refresh());
    timers.every(WATCH_MS, () =>
      watchRollouts(database, fleet, admin, { ...config.rollout, recent_s: recentS }, (version, reason) =>
        log.event('error', 'a roll-out was halted', { version: String(version), reason }),
      ),
    );
    timers.every(FORGET_MS, () => forget(database, config.analytics.retention_days, config.fleet.forget_days));

    const listening = await listen(config.server, routes, access, (code) =>
      log.event('error', 'a request to the control plane failed', { error_code: code }),
    );
    // Writes what is still in memory. `closeAll` runs in reverse order, so this is the last step before the database
    // is closed.
    undo.splice(1, 0, async () => {
      await Promise.all([fleet.flush(), usage.flush()]).catch(() => {});
    });
    undo.push(() => listening.close());
    return { address: listening.address, log, storage: database.kind, firstKeyFile, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The session secret is created once per database, so that a session opened on one server is valid on all of them. */
async function sessionSecret(database: Database): Promise<Buffer> {
  await database.query(
    `insert into guard.settings (name, value) values ('session_secret', $1) on conflict (name) do nothing`,
    [randomBytes(32).toString('base64')],
  );
  const [row] = await database.query(`select value from guard.settings where name = 'session_secret'`);
  return Buffer.from(String(row!.value), 'base64');
}

/** Sessions, revocation and usage go by the id of a key, so one id must not stand for two keys. */
async function refuseTakenIds(database: Database, { keys }: ControlPlaneConfig): Promise<void> {
  const kept = await database.query('select id from guard.keys where revoked_at is null');
  const taken = kept.find(({ id }) => keys.some((key) => key.id === id));
  if (taken !== undefined)
    throw new Error(
      `keys: the id ${String(taken.id)} is taken by a key in the storage; give the one in the configuration another id`,
    );
}

/**
 * Creates the first administrator's key when there is none. It is written to a file that only this user can read, and
 * not to the log, which many people read.
 */
async function firstKey(database: Database, config: ControlPlaneConfig): Promise<string | null> {
  if (config.keys.some(({ scopes }) => scopes.includes('admin'))) return null;
  const { key, sha256 } = createKey();
  const { folder } = config.storage;
  const file = join(folder, 'first-admin.key');
  // In one transaction: the key is created only once, so a key that is in the database but in no file would lock
  // everybody out.
  return database.transaction(async (query) => {
    const kept = await query(`select id, scopes, revoked_at from guard.keys`);
    if (kept.some(({ scopes, revoked_at }) => revoked_at === null && String(scopes).includes('admin'))) return null;
    // The id of a revoked key stays taken. When two servers start together, both choose the same id, and one of them
    // makes no key.
    const taken = new Set([...config.keys, ...kept].map(({ id }) => String(id)));
    let id = 'first-admin';
    for (let n = 2; taken.has(id); n += 1) id = `first-admin-${n}`;
    const rows = await query(
      `insert into guard.keys (id, sha256, scopes) values ($1, $2, 'admin') on conflict (id) do nothing returning id`,
      [id, sha256],
    );
    if (rows.length === 0) return null;
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    return file;
  });
}
