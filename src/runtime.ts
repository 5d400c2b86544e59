import type { Config } from './config/config.ts';
import { createAuthorize } from './http/auth.ts';
import { createClientAddress } from './http/client-address.ts';
import type { LimitCheck } from './http/rate-limit.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { DeadlineClock } from './proxy/deadline.ts';
import type { ResponseSettings } from './proxy/response-gate.ts';
import { createUpstream, type Upstream } from './proxy/upstreams.ts';
import type { Runtime } from './routes/call.ts';
import type { Scanner } from './scanner/scanner.ts';
import { VERSION } from './version.ts';

/** What outlives every configuration: a reload changes none of it. */
export interface Lasting {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: DeadlineClock;
  readonly draining: () => boolean;
}

/** Builds what the routes need from a configuration. Upstreams that it leaves as they were keep their connections. */
export function createRuntime(
  config: Config,
  scanner: Scanner | null,
  limitCheck: LimitCheck,
  before: ReadonlyMap<string, Upstream>,
  { log, metrics, clock, draining }: Lasting,
): Runtime {
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
    limitCheck,
    maxRequestBytes: config.security.max_request_bytes,
    writeStallMs: config.server.write_stall_ms,
    metricsPath: config.metrics.enabled ? config.metrics.path : null,
    version: VERSION,
    draining,
    reportOwnFault: (what) => log.event('error', 'request handler failed', what),
  };
}

function responseOf({ scanner: { response }, security }: Config): ResponseSettings | null {
  const { enabled, mode, buffer_chars: bufferChars, categories, mask, canaries } = response;
  return enabled ? { mode, bufferChars, categories, mask, canaries, maxBytes: security.max_response_bytes } : null;
}
