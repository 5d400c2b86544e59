/** The metrics by their names, and the page that shows them. Only this module uses prom-client. */
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { createCells, createHistogram } from './tally.ts';

/** Histogram buckets. An LLM call takes from milliseconds to minutes. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const SCAN_SECONDS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Gauges of prom-client whose names end in `_total`. That suffix is for counters, and promtool rejects it. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export type Families = ReturnType<typeof familiesIn>;

export interface MetricPage {
  readonly families: Families;
  readonly contentType: string;
  readonly text: () => Promise<string>;
  readonly clear: () => void;
}

export function createMetricPage(build: { readonly version: string; readonly node: string }): MetricPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const families = familiesIn(registry);
  families.build.set(build, 1);
  return {
    families,
    contentType: registry.contentType,
    text: () => registry.metrics(),
    clear: () => registry.clear(),
  };
}

/** Declares every metric of guard: what each is called, what it says, and by which labels it is told apart. */
function familiesIn(registry: Registry) {
  const registers = [registry];
  return {
    requests: createCells('counter', {
      name: 'guard_requests_total',
      help: 'Requests answered, by upstream, method and status.',
      labelNames: ['upstream', 'method', 'status'],
      registers,
    }),
    duration: createHistogram({
      name: 'guard_request_duration_seconds',
      help: 'Time from the request head to the end of the response.',
      labelNames: ['upstream', 'method'],
      buckets: CALL_SECONDS,
      registers,
    }),
    scans: createCells('counter', {
      name: 'guard_scans_total',
      help: 'Scans, by scanner and result.',
      labelNames: ['scanner', 'result'],
      registers,
    }),
    detections: new Counter({
      name: 'guard_detections_total',
      help: 'Detections, by category and the action taken.',
      labelNames: ['category', 'action'],
      registers,
    }),
    signatures: new Gauge({
      name: 'guard_signatures_loaded',
      help: 'Signatures in the ruleset that is in force.',
      registers,
    }),
    scanSeconds: createHistogram({
      name: 'guard_scan_duration_seconds',
      help: 'Time from the hand-over of a body to its outcome.',
      labelNames: ['scanner'],
      buckets: SCAN_SECONDS,
      registers,
    }),
    addedSeconds: createHistogram({
      name: 'guard_added_latency_seconds',
      help: 'Time that the service itself added before the request went on.',
      labelNames: ['upstream'],
      buckets: SCAN_SECONDS,
      registers,
    }),
    firstByteSeconds: createHistogram({
      name: 'guard_time_to_first_byte_seconds',
      help: 'Time from the hand-over to the upstream until its response head.',
      labelNames: ['upstream'],
      buckets: CALL_SECONDS,
      registers,
    }),
    inflight: createCells('gauge', {
      name: 'guard_inflight_requests',
      help: 'Requests in progress.',
      labelNames: ['upstream'],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'guard_scan_queue_depth',
      help: 'Bodies waiting for a scanner thread.',
      registers,
    }),
    shadows: new Counter({
      name: 'guard_shadow_detections_total',
      help: 'What the shadow policy would have done.',
      labelNames: ['category', 'action'],
      registers,
    }),
    failedOpen: new Counter({
      name: 'guard_fail_open_total',
      help: 'Requests that went on unscanned because a scan failed, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    unscannable: new Counter({
      name: 'guard_unscannable_total',
      help: 'Content that could not be read, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    upstreamFaults: new Counter({
      name: 'guard_upstream_faults_total',
      help: 'Calls that an upstream did not answer, or not to the end.',
      labelNames: ['upstream', 'fault'],
      registers,
    }),
    aborts: new Counter({
      name: 'guard_stream_aborts_total',
      help: 'Responses that ended before their end, by the side that ended them.',
      labelNames: ['upstream', 'side'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'guard_rate_limited_total',
      help: 'Requests refused by a rate limit.',
      labelNames: ['policy'],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'guard_refused_connections_total',
      help: 'Connections and heads refused before they became a request, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    workerEvents: new Counter({
      name: 'guard_worker_events_total',
      help: 'Scanner threads that crashed, were killed, or pools that were replaced.',
      labelNames: ['event'],
      registers,
    }),
    reloadOk: new Gauge({
      name: 'guard_config_last_reload_successful',
      help: 'Whether the last configuration reload was applied.',
      registers,
    }),
    reloadAt: new Gauge({
      name: 'guard_config_last_reload_success_timestamp_seconds',
      help: 'When a configuration was last applied.',
      registers,
    }),
    planeConnected: new Gauge({
      name: 'guard_control_plane_connected',
      help: 'Whether the last heartbeat to the control plane was answered; 0 without one.',
      registers,
    }),
    bundleVersion: new Gauge({
      name: 'guard_signature_bundle_version',
      help: 'Version of the signature bundle in force; 0 for the shipped signatures.',
      registers,
    }),
    bundlesRefused: new Counter({
      name: 'guard_signature_bundle_refused_total',
      help: 'Signature bundles that were not taken, by fault.',
      labelNames: ['fault'],
      registers,
    }),
    eventsDropped: new Counter({
      name: 'guard_control_plane_events_dropped_total',
      help: 'Events that were lost before the control plane took them.',
      registers,
    }),
    build: new Gauge({
      name: 'guard_build_info',
      help: 'The build that is running; always 1.',
      labelNames: ['version', 'node'],
      registers,
    }),
  };
}
