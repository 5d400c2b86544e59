import { hostname } from 'node:os';
import type { Config } from '../config/config.ts';
import { formatProblem, type Problem } from '../domain/problem.ts';
import type { Log } from '../observe/log.ts';
import type { FleetMetrics } from '../observe/metrics.ts';
import { readPublicKey, type TrustedKey } from './bundle-keys.ts';
import { isOfInstance, type Payload } from './bundle-payload.ts';
import { startClient, type Client } from './client.ts';
import type { ClientSettings } from './client-settings.ts';
import { createEvents } from './client-events.ts';
import { countingLog } from './counting-log.ts';
import { readKept, type Kept } from './client-kept.ts';

/** Connects a running service to its control plane: what the fleet sends to it, and what it reports. */

/** What the control plane sent and is in force, in addition to the configuration file. */
export interface Sent {
  readonly payload: Payload | null;
  /** Null when there is no policy. */
  readonly policy: unknown;
}

export const NOTHING_SENT: Sent = { payload: null, policy: null };

export interface FleetLink {
  /** What was read from disk. It is in force from the first request on, whether or not the control plane answers. */
  readonly kept: Sent;
  /** The version of the bundle in force; 0 for the shipped signatures. */
  version(): number;
  /** Discards the bundle that was read from disk: it does not work with this version or with this configuration. */
  forgetBundle(problems: readonly Problem[]): void;
  /** Gives up the policy in force, because it does not fit the configuration. It is fetched again when it may fit. */
  forgetPolicy(problems: readonly Problem[]): void;
  /** Wraps a log so that each logged exchange is counted as well. */
  counted(log: Log): Log;
  /** Call this after the operator's own configuration has changed. */
  reloaded(): void;
  start(apply: (change: Partial<Sent>) => Promise<readonly Problem[]>, signatureCount: () => number): void;
  close(): Promise<void>;
}

const MOST_PROBLEMS_LOGGED = 10;

/** Returns null when no control plane is configured. Then nothing is loaded, counted or requested. */
export function createFleetLink(
  settings: Config['control_plane'],
  engine: string,
  log: Log,
  metrics: FleetMetrics,
): FleetLink | null {
  const { enabled, url, api_key: apiKey } = settings;
  if (!enabled || url === null || apiKey === null) return null;
  const trusted = settings.public_keys.map(readPublicKey).filter((key): key is TrustedKey => key !== null);
  const events = createEvents((count) => metrics.dropped(count));
  let before: Kept = readKept(settings.folder, trusted, engine);
  if (!settings.policy) before = { ...before, policy: null };
  let client: Client | null = null;

  const asked: ClientSettings = {
    url,
    apiKey,
    heartbeatS: settings.heartbeat_s,
    name: settings.name ?? hostname().slice(0, 100),
    group: settings.group,
    folder: settings.folder,
    policy: settings.policy,
    trusted,
    engine,
  };
  let saidNotKept = false;
  let version = before.bundle?.manifest.version ?? 0;
  return {
    kept: { payload: before.bundle?.payload ?? null, policy: before.policy?.value ?? null },
    version: () => version,
    forgetBundle(problems) {
      version = 0;
      before = { ...before, bundle: null };
      log.event('error', 'the signature bundle that was kept cannot be used here, starting without it', {
        problems: textsOf(problems),
      });
    },
    forgetPolicy(problems) {
      before = { ...before, policy: null };
      client?.forgetPolicy();
      log.event('error', 'policy of the fleet does not fit this configuration, that of the file is in force', {
        problems: textsOf(problems),
      });
    },
    counted: (log) => countingLog(log, events),
    start(apply, signatureCount) {
      metrics.bundle(before.bundle?.manifest.version ?? 0);
      client = startClient(
        asked,
        {
          async applyBundle(payload) {
            const problems = await apply({ payload });
            return { fault: problems.every(isOfInstance) ? 'unfit' : 'unproven', problems: textsOf(problems) };
          },
          applyPolicy: async (policy) => textsOf(await apply({ policy })),
          signatureCount,
          connected(instanceId) {
            metrics.connected(true);
            log.event('info', 'connected to the control plane', { instance_id: instanceId });
          },
          lost(reason) {
            metrics.connected(false);
            log.event('warn', 'the control plane is not reached, going on with what is in force', { reason });
          },
          bundleTaken(taken) {
            version = taken;
            metrics.bundle(version);
            log.event('info', 'signature bundle taken', { version: String(version), signatures: signatureCount() });
          },
          bundleRefused(version, fault, reason, problems) {
            metrics.refused(fault);
            log.event('error', 'signature bundle refused, the old signatures stay in force', {
              version: String(version),
              error_code: fault,
              reason,
              ...(problems.length === 0 ? {} : { problems }),
            });
          },
          policyTaken(etag) {
            log.event('info', 'policy of the fleet taken', { version: etag ?? 'none' });
          },
          policyRefused(problems) {
            log.event('error', 'policy of the fleet refused, the old one stays in force', { problems });
          },
          notKept(code) {
            const where = settings.folder === null ? {} : { file: settings.folder };
            if (!saidNotKept)
              log.event('warn', 'what the fleet sent cannot be kept on the disk', { ...where, error_code: code });
            saidNotKept = true;
          },
        },
        events,
        before,
      );
    },
    reloaded: () => client?.reconsider(),
    async close() {
      await client?.close();
    },
  };
}

function textsOf(problems: readonly Problem[]): readonly string[] {
  return problems.slice(0, MOST_PROBLEMS_LOGGED).map(formatProblem);
}
