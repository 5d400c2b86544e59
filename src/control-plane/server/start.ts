import { readFileSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import type { ControlPlaneConfig } from '../../config/control-plane.ts';
import { pageFile } from '../../console/page.ts';
import { closeAll, type Opened } from '../../domain/opened.ts';
import { createClientAddress } from '../../http/client-address.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { createLog, type Log } from '../../observe/log.ts';
import { VERSION } from '../../version.ts';
import { readPublicKey, type TrustedKey } from '../bundle-keys.ts';
import { createAccess } from './access.ts';
import { createAdmin } from './admin.ts';
import { createHostedCheck } from './hosted-check.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { createEventStore } from './event-store.ts';
import { createFleet } from './fleet.ts';
import { forget } from './forget.ts';
import { listen } from './listen.ts';
import { firstKey, refuseTakenIds, sessionSecret } from './start-keys.ts';
import { recentWithin } from './rollouts.ts';
import { routesOf } from './routes.ts';
import { createTimers } from './timers.ts';
import { createUsage } from './usage.ts';
import { watchRollouts } from './watch-rollouts.ts';

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
    await log.close();
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
      ? await createHostedCheck(
          { threads: config.check.threads, maxBytes: config.check.max_bytes },
          () => fleet.policyOf('default'),
          (event) => log.event('error', 'a scanning thread of the control plane failed', { reason: event }),
          (problems) =>
            log.event('error', 'the policy of the group default does not fit the hosted check, the old one stays', {
              problems,
            }),
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
