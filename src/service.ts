import { hostname } from 'node:os';
import type { DestinationStream } from 'pino';
import { startScanner, tuningOf, type Begun, type First } from './begin.ts';
import type { Config } from './config/config.ts';
import type { InstanceConsole, Shown } from './control-plane/instance-console.ts';
import { createFleetLink, NOTHING_SENT, type Sent } from './control-plane/link.ts';
import { configUnder, signaturesUnder } from './control-plane/under-fleet.ts';
import { closeAll, type Opened } from './domain/opened.ts';
import { formatProblem, type Problem } from './domain/problem.ts';
import { createAuthorize } from './http/auth.ts';
import { createClientAddress } from './http/client-address.ts';
import { createRateLimit, type RateLimit } from './http/rate-limit.ts';
import { createLog, type Log } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createDeadlineClock } from './proxy/deadline.ts';
import type { ResponseSettings } from './proxy/response-gate.ts';
import { createUpstream, type Upstream } from './proxy/upstreams.ts';
import type { Runtime } from './routes/call.ts';
import type { PoolEvents } from './scanner/pool.ts';
import type { Scanner } from './scanner/scanner.ts';
import { startServer } from './server.ts';
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

export interface Reloaded {
  readonly problems: readonly Problem[];
  /** Keys that differ and are only read at start. */
  readonly restart: readonly string[];
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

/** How often a scanner that was switched off is checked for whether its last call has ended and it may be closed. */
const LET_GO_MS = 500;

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
  opened.push(() => log.flush());
  const metrics = createMetrics(Object.keys(config.upstreams), { version: VERSION, node: process.version });
  opened.push(() => metrics.close());
  const clock = createDeadlineClock();
  opened.push(() => clock.close());
  const events: PoolEvents = {
    worker: (event) => metrics.workerEvent(event),
    log: (message, reason) => log.event('error', message, { reason }),
  };
  extras.begun?.hear(events);
  let draining = false;
  let closed = false;
  const limitBy = (settings: Config['rate_limit']): Promise<RateLimit> =>
    createRateLimit(settings, (up, code) =>
      log.event(
        up ? 'info' : 'warn',
        up ? 'rate limit store connected' : 'rate limit store is away, each instance counts alone',
        code === undefined ? {} : { error_code: code },
      ),
    );
  let rateLimit = await limitBy(config.rate_limit);
  opened.push(() => rateLimit.close());

  const fleet = createFleetLink(config.control_plane, VERSION, log, metrics.fleet);
  let sent = fleet?.kept ?? NOTHING_SENT;
  let laid = configUnder(config, sent);
  let first: First = { scanner: null, problems: laid.problems };
  if (laid.config !== null) first = await (extras.begun?.first ?? scannerOf(laid.config, sent));
  if (first.problems.length > 0 && sent !== NOTHING_SENT) {
    fleet?.forget();
    sent = NOTHING_SENT;
    laid = { config, problems: [] };
    first = await scannerOf(config, sent);
  }
  if (first.problems.length > 0 || laid.config === null) return { service: null, problems: first.problems };

  /**
   * The scanner in force, and those that a reload switched off while calls that began on them are still in progress.
   */
  const scanners = new Set<Scanner>();
  if (first.scanner !== null) scanners.add(first.scanner);
  opened.push(async () => {
    for (const scanner of scanners) await scanner.close();
  });
  /** The configuration as the file states it. `current` is this configuration with the fleet's settings applied. */
  let base = config;
  let current: Config = laid.config;
  /** What the listeners and the links were opened with: whatever is read only at a start stays like this until the next. */
  const atStart = current;
  let runtime: Runtime = compose(current, first.scanner, new Map());
  opened.push(() => {
    for (const upstream of runtime.upstreams.values()) upstream.forwarder.close();
  });
  metrics.observeQueue(() => runtime.scanner?.depth() ?? 0);
  const page = await startConsole();
  opened.push(() => page?.close());
  if (page !== null) log.event('info', 'the console listens', { address: `${page.address.host}:${page.address.port}` });
  const ofFleet = fleet === null ? log : fleet.counted(log);
  const serverLog = page === null ? ofFleet : page.counted(ofFleet);
  const server = await startServer(config.server, () => runtime, serverLog);
  opened.push(() => server.close());

  /**
   * Starts the console if it is enabled. It is imported lazily, so that a proxy without a console never loads its
   * files.
   */
  async function startConsole(): Promise<InstanceConsole | null> {
    const { admin } = current;
    if (!admin.enabled) return null;
    const { startInstanceConsole } = await import('./control-plane/instance-console.ts');
    const shown: Shown = {
      name: hostname(),
      version: VERSION,
      signatures: () => runtime.scanner?.signatureCount() ?? 0,
      bundleVersion: () => fleet?.version() ?? 0,
      policy: () => current.policy,
      keys: () => current.auth.keys,
      scanner: () => runtime.scanner,
    };
    return startInstanceConsole(admin, shown, (code) =>
      log.event('error', 'a request to the console failed', { error_code: code }),
    );
  }

  function scannerOf(config: Config, sent: Sent): Promise<First> {
    return startScanner(config, () => signaturesUnder(config, sent), events, extras.faults);
  }

  function compose(config: Config, scanner: Scanner | null, before: ReadonlyMap<string, Upstream>): Runtime {
    metrics.signatures(scanner?.signatureCount() ?? 0);
    return {
      upstreams: new Map(
        Object.entries(config.upstreams).map(([name, one]) => [name, createUpstream(name, one, before.get(name))]),
      ),
      policy: config.policy,
      shadow: config.policy.shadow,
      failure: config.security,
      scanner,
      response: responseOf(config),
      metrics,
      clock,
      clientAddress: createClientAddress(config.server.trusted_proxies),
      authorize: createAuthorize(config.auth.keys),
      limitCheck: rateLimit.limit,
      maxRequestBytes: config.security.max_request_bytes,
      writeStallMs: config.server.write_stall_ms,
      metricsPath: config.metrics.enabled ? config.metrics.path : null,
      version: VERSION,
      draining: () => draining,
      reportOwnFault: (what) => log.event('error', 'request handler failed', what),
    };
  }

  /**
   * The scanner for the next configuration. A running pool is kept and updated; calls in progress finish with the
   * rules that the pool has by then.
   */
  async function scannerFor(next: Config, nextSent: Sent, sameSignatures: boolean): Promise<First> {
    const { scanner } = runtime;
    if (!next.scanner.enabled) return { scanner: null, problems: [] };
    if (scanner === null) return startedScannerOf(next, nextSent);
    const tuning = tuningOf(next);
    const sameTuning = JSON.stringify(tuning) === JSON.stringify(tuningOf(current));
    if (sameSignatures && sameTuning) return { scanner, problems: [] };
    const loaded = signaturesUnder(next, nextSent);
    if (loaded.problems.length > 0) return { scanner, problems: loaded.problems };
    return { scanner, problems: await scanner.replace(loaded.signatures, tuning) };
  }

  /**
   * Starts a scanner in the course of a reload. At process start, threads may become ready later. A reload instead
   * fails when its threads do not come up.
   */
  async function startedScannerOf(next: Config, nextSent: Sent): Promise<First> {
    const first = await scannerOf(next, nextSent);
    const why = first.scanner?.health().scanner ?? null;
    if (first.problems.length > 0 || why === null) return first;
    await first.scanner?.close();
    throw new Error(`the scanner does not start: ${why}`);
  }

  /** Runs changes one after the other: the file may change while a bundle of the fleet is being proven. */
  let last: Promise<unknown> = Promise.resolve();
  function change(of: () => { base: Config; sent: Sent }): Promise<Reloaded> {
    const next = last.then(() => {
      const { base, sent } = of();
      return swap(base, sent);
    });
    last = next.catch(() => {});
    return next;
  }

  async function swap(nextBase: Config, nextSent: Sent): Promise<Reloaded> {
    const over = configUnder(nextBase, nextSent);
    if (over.config === null) return { problems: over.problems, restart: [] };
    const next = over.config;
    const sameSignatures = nextBase === base && nextSent.payload === sent.payload;
    const sameLimit = JSON.stringify(next.rate_limit) === JSON.stringify(current.rate_limit);
    // The rate limit comes first, because a pool that is kept swaps its rules by itself: a rate limit that cannot be
    // created must leave everything as it was.
    const limit = sameLimit ? rateLimit : await limitBy(next.rate_limit);
    const { scanner, problems } = await scannerFor(next, nextSent, sameSignatures).catch((error: unknown) => {
      if (!sameLimit) limit.close();
      throw error;
    });
    if (closed) {
      // What was opened meanwhile was not there to be closed, and would keep the process from ending.
      if (!sameLimit) limit.close();
      await scanner?.close();
      return { problems: [], restart: [] };
    }
    if (problems.length > 0) {
      if (!sameLimit) limit.close();
      return { problems, restart: [] };
    }
    if (!sameLimit) rateLimit.close();
    rateLimit = limit;
    const old = runtime;
    runtime = compose(next, scanner, old.upstreams);
    const restart = onlyAtStart(atStart, next);
    base = nextBase;
    sent = nextSent;
    current = next;
    log.setLevel(next.logging.level);
    for (const [name, upstream] of old.upstreams) {
      if (runtime.upstreams.get(name)?.forwarder !== upstream.forwarder) upstream.forwarder.retire();
    }
    if (scanner !== null) scanners.add(scanner);
    if (old.scanner !== null && old.scanner !== scanner) letGo(old.scanner);
    return { problems: [], restart };
  }

  /** Closes a scanner that was switched off once no call uses it: a call ends on the scanner on which it began. */
  function letGo(scanner: Scanner): void {
    const timer = setInterval(() => {
      if (server.some(({ runtime }) => runtime.scanner === scanner)) return;
      clearInterval(timer);
      scanners.delete(scanner);
      void scanner.close();
    }, LET_GO_MS);
    timer.unref();
  }

  const service: Service = {
    address: server.address,
    log,
    signatureCount: () => runtime.scanner?.signatureCount() ?? 0,
    inFlight: server.inFlight,
    async reload(next) {
      const reloaded = await change(() => ({ base: next, sent }));
      const { problems, restart } = reloaded;
      if (closed) return reloaded;
      if (problems.length > 0) {
        service.reloadFailed(problems);
        return reloaded;
      }
      fleet?.reloaded();
      metrics.reload(true);
      log.event('info', 'configuration reloaded', {
        signatures: service.signatureCount(),
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
      return server.drain(current.server.shutdown_delay_ms, current.server.shutdown_timeout_ms);
    },
    async close() {
      draining = true;
      closed = true;
      try {
        await fleet?.close();
      } finally {
        await closeAll(opened);
      }
    },
  };
  fleet?.start(
    async (part) => (await change(() => ({ base, sent: { ...sent, ...part } }))).problems,
    service.signatureCount,
  );
  return { service, problems: [] };
}

function responseOf({ scanner: { response }, security }: Config): ResponseSettings | null {
  const { enabled, mode, buffer_chars: bufferChars, categories, mask, canaries } = response;
  return enabled ? { mode, bufferChars, categories, mask, canaries, maxBytes: security.max_response_bytes } : null;
}

/**
 * The changed keys that only a restart applies. The listener and the links to the control plane and the console are
 * opened once.
 */
function onlyAtStart(before: Config, after: Config): string[] {
  const keys: string[] = [];
  const live = new Set(['trusted_proxies', 'shutdown_delay_ms', 'shutdown_timeout_ms', 'write_stall_ms']);
  for (const key of Object.keys(after.server) as (keyof Config['server'])[]) {
    if (!live.has(key) && after.server[key] !== before.server[key]) keys.push(`server.${key}`);
  }
  for (const key of ['control_plane', 'admin'] as const)
    if (JSON.stringify(after[key]) !== JSON.stringify(before[key])) keys.push(key);
  return keys;
}
