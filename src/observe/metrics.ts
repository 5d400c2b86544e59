/**
 * Metrics. Only this module uses prom-client. Every label value is from a closed set, either fixed in the code or a
 * name from the configuration, so that clients cannot create time series.
 */
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { ACTIONS, CATEGORIES, type Action, type Category } from '../domain/verdict.ts';
import { createCells, createHistogram, type Cell } from './tally.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Histogram buckets. An LLM call takes from milliseconds to minutes. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const SCAN_SECONDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Gauges of prom-client whose names end in `_total`. That suffix is for counters, and promtool rejects it. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export type ScanResult = 'allow' | 'block' | 'timeout' | 'error' | 'unreadable' | 'overloaded';

/** Why a connection or a head was refused before it became a request. The names are ours, not those of Node's errors. */
export type RefusedConnection = (typeof REFUSED_CONNECTIONS)[number];

const REFUSED_CONNECTIONS = [
  'malformed',
  'cut_short',
  'headers_too_large',
  'version',
  'timeout',
  'connect',
  'max_connections',
] as const;

export interface Metrics {
  exchange(upstream: string, method: string, status: number, seconds: number): void;
  opened(upstream: string): void;
  closed(upstream: string): void;
  scan(result: ScanResult, seconds: number): void;
  detection(category: Category, action: Action): void;
  shadow(category: Category, action: Action): void;
  failedOpen(reason: string): void;
  unscannable(reason: string, count?: number): void;
  upstreamFault(upstream: string, fault: string): void;
  streamAborted(upstream: string, side: 'client' | 'upstream' | 'shutdown'): void;
  firstByte(upstream: string, seconds: number): void;
  added(upstream: string, seconds: number): void;
  rateLimited(policy: string): void;
  refusedConnection(reason: RefusedConnection): void;
  workerEvent(event: 'crash' | 'killed' | 'replaced'): void;
  signatures(count: number): void;
  reload(ok: boolean): void;
  fleet: FleetMetrics;
  observeQueue(depth: () => number): void;
  page(): Promise<{ contentType: string; text: string }>;
  close(): void;
}

/** Metrics of the connection to a control plane. They exist without one too, so that alerts on them have data. */
export interface FleetMetrics {
  connected(is: boolean): void;
  bundle(version: number): void;
  refused(fault: string): void;
  dropped(events: number): void;
}

export function createMetrics(upstreams: readonly string[], build: { version: string; node: string }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const families = familiesIn(registry);
  sayBuild(registry, build);
  startAtZero(families, upstreams);
  const ofUpstream = createUpstreamCells(families);
  const {
    requests,
    duration,
    scans,
    detections,
    signatures,
    scanSeconds,
    queueDepth,
    shadows,
    failedOpen,
    unscannable,
    upstreamFaults,
    aborts,
    rateLimited,
    refusedConnections,
    workerEvents,
    reloadOk,
    reloadAt,
    planeConnected,
    bundleVersion,
    bundlesRefused,
    eventsDropped,
  } = families;
  const pipelineSeconds = scanSeconds.observer('pipeline');

  return {
    exchange(upstream, method, status, seconds) {
      const known = METHODS.has(method) ? method : 'other';
      const { methods } = ofUpstream(upstream);
      let ofMethod = methods.get(known);
      if (ofMethod === undefined) {
        ofMethod = { duration: duration.observer(upstream, known), statuses: new Map() };
        methods.set(known, ofMethod);
      }
      ofMethod.duration(seconds);
      let count = ofMethod.statuses.get(status);
      if (count === undefined) {
        count = requests.cell(upstream, known, String(status));
        ofMethod.statuses.set(status, count);
      }
      count.value += 1;
    },
    opened(upstream) {
      ofUpstream(upstream).inflight.value += 1;
    },
    closed(upstream) {
      ofUpstream(upstream).inflight.value -= 1;
    },
    scan(result, seconds) {
      scans.inc({ scanner: 'pipeline', result });
      pipelineSeconds(seconds);
    },
    detection: (category, action) => detections.inc({ category, action }),
    shadow: (category, action) => shadows.inc({ category, action }),
    failedOpen: (reason) => failedOpen.inc({ reason }),
    unscannable: (reason, count = 1) => unscannable.inc({ reason }, count),
    upstreamFault: (upstream, fault) => upstreamFaults.inc({ upstream, fault }),
    streamAborted: (upstream, side) => aborts.inc({ upstream, side }),
    firstByte: (upstream, seconds) => ofUpstream(upstream).firstByte(seconds),
    added: (upstream, seconds) => ofUpstream(upstream).added(seconds),
    rateLimited: (policy) => rateLimited.inc({ policy }),
    refusedConnection: (reason) => refusedConnections.inc({ reason }),
    workerEvent: (event) => workerEvents.inc({ event }),
    signatures: (count) => signatures.set(count),
    reload(ok) {
      reloadOk.set(ok ? 1 : 0);
      if (ok) reloadAt.set(Math.floor(Date.now() / 1000));
    },
    fleet: {
      connected: (is) => planeConnected.set(is ? 1 : 0),
      bundle: (version) => bundleVersion.set(version),
      refused: (fault) => bundlesRefused.inc({ fault }),
      dropped: (events) => eventsDropped.inc(events),
    },
    observeQueue(depth) {
      (queueDepth as unknown as { collect: () => void }).collect = () => queueDepth.set(depth());
    },
    async page() {
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
}

type Families = ReturnType<typeof familiesIn>;

/** Declares every metric of guard. */
function familiesIn(registry: Registry) {
  const registers = [registry];
  const requests = createCells('counter', {
    name: 'guard_requests_total',
    help: 'Requests answered, by upstream, method and status.',
    labelNames: ['upstream', 'method', 'status'],
    registers,
  });
  const duration = createHistogram({
    name: 'guard_request_duration_seconds',
    help: 'Time from the request head to the end of the response.',
    labelNames: ['upstream', 'method'],
    buckets: CALL_SECONDS,
    registers,
  });
  const scans = new Counter({
    name: 'guard_scans_total',
    help: 'Scans, by scanner and result.',
    labelNames: ['scanner', 'result'],
    registers,
  });
  const detections = new Counter({
    name: 'guard_detections_total',
    help: 'Detections, by category and the action taken.',
    labelNames: ['category', 'action'],
    registers,
  });
  const signatures = new Gauge({
    name: 'guard_signatures_loaded',
    help: 'Signatures in the ruleset that is in force.',
    registers,
  });

  const scanSeconds = createHistogram({
    name: 'guard_scan_duration_seconds',
    help: 'Time from the hand-over of a body to its outcome.',
    labelNames: ['scanner'],
    buckets: SCAN_SECONDS,
    registers,
  });
  const addedSeconds = createHistogram({
    name: 'guard_added_latency_seconds',
    help: 'Time that the service itself added before the request went on.',
    labelNames: ['upstream'],
    buckets: SCAN_SECONDS,
    registers,
  });
  const firstByteSeconds = createHistogram({
    name: 'guard_time_to_first_byte_seconds',
    help: 'Time from the hand-over to the upstream until its response head.',
    labelNames: ['upstream'],
    buckets: CALL_SECONDS,
    registers,
  });
  const inflight = createCells('gauge', {
    name: 'guard_inflight_requests',
    help: 'Requests in progress.',
    labelNames: ['upstream'],
    registers,
  });
  const queueDepth = new Gauge({
    name: 'guard_scan_queue_depth',
    help: 'Bodies waiting for a scanner thread.',
    registers,
  });
  const shadows = new Counter({
    name: 'guard_shadow_detections_total',
    help: 'What the shadow policy would have done.',
    labelNames: ['category', 'action'],
    registers,
  });
  const failedOpen = new Counter({
    name: 'guard_fail_open_total',
    help: 'Requests that went on unscanned because a scan failed, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const unscannable = new Counter({
    name: 'guard_unscannable_total',
    help: 'Content that could not be read, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const upstreamFaults = new Counter({
    name: 'guard_upstream_faults_total',
    help: 'Calls that an upstream did not answer, or not to the end.',
    labelNames: ['upstream', 'fault'],
    registers,
  });
  const aborts = new Counter({
    name: 'guard_stream_aborts_total',
    help: 'Responses that ended before their end, by the side that ended them.',
    labelNames: ['upstream', 'side'],
    registers,
  });
  const rateLimited = new Counter({
    name: 'guard_rate_limited_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['policy'],
    registers,
  });
  const refusedConnections = new Counter({
    name: 'guard_refused_connections_total',
    help: 'Connections and heads refused before they became a request, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const workerEvents = new Counter({
    name: 'guard_worker_events_total',
    help: 'Scanner threads that crashed, were killed, or pools that were replaced.',
    labelNames: ['event'],
    registers,
  });
  const reloadOk = new Gauge({
    name: 'guard_config_last_reload_successful',
    help: 'Whether the last configuration reload was applied.',
    registers,
  });
  const reloadAt = new Gauge({
    name: 'guard_config_last_reload_success_timestamp_seconds',
    help: 'When a configuration was last applied.',
    registers,
  });
  const planeConnected = new Gauge({
    name: 'guard_control_plane_connected',
    help: 'Whether the last heartbeat to the control plane was answered; 0 without one.',
    registers,
  });
  const bundleVersion = new Gauge({
    name: 'guard_signature_bundle_version',
    help: 'Version of the signature bundle in force; 0 for the shipped signatures.',
    registers,
  });
  const bundlesRefused = new Counter({
    name: 'guard_signature_bundle_refused_total',
    help: 'Signature bundles that were not taken, by fault.',
    labelNames: ['fault'],
    registers,
  });
  const eventsDropped = new Counter({
    name: 'guard_control_plane_events_dropped_total',
    help: 'Events that were lost before the control plane took them.',
    registers,
  });
  return {
    requests,
    duration,
    scans,
    detections,
    signatures,
    scanSeconds,
    addedSeconds,
    firstByteSeconds,
    inflight,
    queueDepth,
    shadows,
    failedOpen,
    unscannable,
    upstreamFaults,
    aborts,
    rateLimited,
    refusedConnections,
    workerEvents,
    reloadOk,
    reloadAt,
    planeConnected,
    bundleVersion,
    bundlesRefused,
    eventsDropped,
  };
}

function sayBuild(registry: Registry, { version, node }: { version: string; node: string }): void {
  new Gauge({
    name: 'guard_build_info',
    help: 'The build that is running; always 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node }, 1);
}

/**
 * Initializes the series, so that a rate is zero and not absent before the first event: an alert on an absent series
 * never fires.
 */
function startAtZero(families: Families, upstreams: readonly string[]): void {
  const { scans, detections, refusedConnections, inflight, reloadOk, reloadAt } = families;
  for (const result of ['allow', 'block', 'timeout', 'error', 'unreadable', 'overloaded'] satisfies ScanResult[]) {
    scans.inc({ scanner: 'pipeline', result }, 0);
  }
  for (const category of CATEGORIES) {
    for (const action of ACTIONS) if (action !== 'allow') detections.inc({ category, action }, 0);
  }
  for (const reason of REFUSED_CONNECTIONS) refusedConnections.inc({ reason }, 0);
  for (const upstream of upstreams) inflight.cell(upstream);
  reloadOk.set(1);
  reloadAt.set(Math.floor(Date.now() / 1000));
}

/** What is counted for each call to an upstream. */
interface UpstreamCells {
  readonly inflight: Cell;
  readonly added: (seconds: number) => void;
  readonly firstByte: (seconds: number) => void;
  readonly methods: Map<string, { readonly duration: (seconds: number) => void; readonly statuses: Map<number, Cell> }>;
}

/** Nested maps with few entries: two lookups per call are cheaper than joining the labels into a key. */
function createUpstreamCells({
  inflight,
  addedSeconds,
  firstByteSeconds,
}: Families): (upstream: string) => UpstreamCells {
  const perUpstream = new Map<string, UpstreamCells>();
  return (upstream) => {
    let held = perUpstream.get(upstream);
    if (held === undefined) {
      held = {
        inflight: inflight.cell(upstream),
        added: addedSeconds.observer(upstream),
        firstByte: firstByteSeconds.observer(upstream),
        methods: new Map(),
      };
      perUpstream.set(upstream, held);
    }
    return held;
  };
}
