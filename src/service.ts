import { hostname } from 'node:os';
import type { DestinationStream } from 'pino';
import type { Begun } from './begin.ts';
import type { Config } from './config/config.ts';
import type { InstanceConsole, Shown } from './control-plane/instance-console.ts';
import { createFleetLink } from './control-plane/link.ts';
import { closeAll, type Opened } from './domain/opened.ts';
import { formatProblem, type Problem } from './domain/problem.ts';
import { enterIntoForce, type InForce, type Reloaded } from './in-force.ts';
import { createLog, type Log } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createDeadlineClock } from './proxy/deadline.ts';
import type { PoolEvents } from './scanner/generations.ts';
import { startServer, type Server } from './server.ts';
import { VERSION } from './version.ts';

/** The composition root: builds a running service from a configuration. */

export interface Service {
  readonly address: { readonly host: string; readonly port: number };
  readonly log: Log;
  readonly signatureCount: () => number;
  readonly inFlight: () => number;
  /**
   * Compiles and proves what is new, then swaps it in as one step. On problems the old configuration stays in force.
   */
  reload(config: Config): Promise<Reloaded>;
  /**
   * Records that the file could not be read as a configuration: the old one stays in force, and a metric counts the
   * failure.
   */
  reloadFailed(problems: readonly Problem[]): void;
  /** The same for a reload that failed for a reason other than the file. */
  reloadBroke(code: string): void;
  drain(): Promise<{ readonly cut: number }>;
  close(): Promise<void>;
}

export type Started =
  | { readonly service: Service; readonly problems: readonly [] }
  | { readonly service: null; readonly problems: readonly Problem[] };

export interface Extras {
  /** Where log lines go instead of standard output. */
  readonly logTo?: DestinationStream;
  /** Makes scanning threads fail, for tests and benchmarks. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** Threads that were already started for this configuration. */
  readonly begun?: Begun | null;
}

/** Starts the service. Everything that was opened is closed again if the start fails. */
export async function startService(config: Config, extras: Extras = {}): Promise<Started> {
  const opened: Opened = [];
  try {
    const started = await open(opened, config, extras);
    if (started.service === null) await closeAll(opened);
    return started;
  } catch (error) {
    // What fails on the way out is the lesser news.
    await closeAll(opened).catch(() => {});
    throw error;
  }
}

/**
 * Everything that gets opened is pushed onto `opened`, so that the caller can close it even when the start fails
 * halfway.
 */
async function open(opened: Opened, config: Config, extras: Extras): Promise<Started> {
  const log = createLog(config.logging.level, extras.logTo);
  opened.push(() => log.close());
  const metrics = createMetrics(Object.keys(config.upstreams), { version: VERSION, node: process.version });
  opened.push(() => metrics.close());
  const clock = createDeadlineClock();
  opened.push(() => clock.close());
  const events: PoolEvents = {
    worker: (event) => metrics.workerEvent(event),
    log: (message, reason, level = 'error') => log.event(level, message, { reason }),
  };
  extras.begun?.hear(events);
  let draining = false;
  let closed = false;

  const fleet = createFleetLink(config.control_plane, VERSION, log, metrics.fleet);
  const { inForce, problems } = await enterIntoForce(opened, config, {
    log,
    metrics,
    clock,
    draining: () => draining,
    fleet,
    begun: extras.begun ?? null,
    events,
    faults: extras.faults,
    inUse: (scanner) => server.some(({ runtime }) => runtime.scanner === scanner),
  });
  if (inForce === null) return { service: null, problems };
  const { signatureCount } = inForce;
  metrics.observeScanner({ depth: () => inForce.runtime().scanner?.depth() ?? 0, signatureCount });

  const page = await startConsole(inForce, log, () => fleet?.version() ?? 0);
  opened.push(() => page?.close());
  const ofFleet = fleet === null ? log : fleet.counted(log);
  const serverLog = page === null ? ofFleet : page.counted(ofFleet);
  const server: Server = await startServer(config.server, inForce.runtime, serverLog);
  opened.push(() => server.close());

  const service: Service = {
    address: server.address,
    log,
    signatureCount,
    inFlight: server.inFlight,
    async reload(next) {
      const reloaded = await inForce.reload(next);
      const { problems, restart } = reloaded;
      if (closed) return reloaded;
      if (problems.length > 0) {
        service.reloadFailed(problems);
        return reloaded;
      }
      fleet?.reloaded();
      metrics.reload(true);
      log.event('info', 'configuration reloaded', {
        signatures: signatureCount(),
        ...(restart.length > 0 ? { restart_needed: restart } : {}),
      });
      return reloaded;
    },
    reloadFailed(problems) {
      metrics.reload(false);
      log.event('error', 'configuration not reloaded, the old one stays in force', {
        problems: problems.map(formatProblem),
      });
    },
    reloadBroke(code) {
      metrics.reload(false);
      log.event('error', 'reload failed, the old configuration stays in force', { error_code: code });
    },
    async drain() {
      draining = true;
      const { shutdown_delay_ms: delayMs, shutdown_timeout_ms: timeoutMs } = inForce.config().server;
      return server.drain(delayMs, timeoutMs);
    },
    async close() {
      draining = true;
      closed = true;
      inForce.stop();
      try {
        await fleet?.close();
      } finally {
        await closeAll(opened);
      }
    },
  };
  fleet?.start(inForce.take, signatureCount);
  return { service, problems: [] };
}

/**
 * Starts the console if it is enabled. It is imported lazily, so that a proxy without a console never loads its files.
 */
async function startConsole(
  { config, runtime, signatureCount }: InForce,
  log: Log,
  bundleVersion: () => number,
): Promise<InstanceConsole | null> {
  const { admin } = config();
  if (!admin.enabled) return null;
  const { startInstanceConsole } = await import('./control-plane/instance-console.ts');
  const shown: Shown = {
    name: hostname(),
    version: VERSION,
    signatures: signatureCount,
    bundleVersion,
    policy: () => config().policy,
    keys: () => config().auth.keys,
    scanner: () => runtime().scanner,
  };
  const page = await startInstanceConsole(admin, shown, (code) =>
    log.event('error', 'a request to the console failed', { error_code: code }),
  );
  log.event('info', 'the console listens', { address: `${page.address.host}:${page.address.port}` });
  return page;
}
