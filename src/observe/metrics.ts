/**
 * What is counted, and when. Every label value is from a closed set, either fixed in the code or a name from the
 * configuration, so that clients cannot create time series.
 */
import type { Failure } from '../domain/failure.ts';
import { ACTIONS, CATEGORIES, type Action, type Category } from '../domain/verdict.ts';
import { createMetricPage, type Families } from './metric-families.ts';
import type { Cell } from './tally.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export type ScanResult = 'allow' | 'block' | Failure['kind'];

/** Why a connection or a head was refused before it became a request. The names are ours, not those of Node's errors. */
type RefusedConnection = (typeof REFUSED_CONNECTIONS)[number];

const REFUSED_CONNECTIONS = [
  'malformed',
  'cut_short',
  'headers_too_large',
  'version',
  'timeout',
  'connect',
  'max_connections',
] as const;

/** A thread died, was ended because it no longer proceeded, or all of a pool were replaced. */
export type WorkerEvent = (typeof WORKER_EVENTS)[number];

const WORKER_EVENTS = ['crash', 'killed', 'replaced'] as const;

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
  workerEvent(event: WorkerEvent): void;
  reload(ok: boolean): void;
  fleet: FleetMetrics;
  /** What the scanner in force says of itself, asked at each look: its threads may come up long after the start. */
  observeScanner(scanner: { readonly depth: () => number; readonly signatureCount: () => number }): void;
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
  const page = createMetricPage(build);
  const { families } = page;
  startAtZero(families, upstreams);
  const ofUpstream = createUpstreamCells(families);
  // Counted at each step of a stream.
  const scanned = (result: ScanResult): Cell => families.scans.cell('pipeline', result);
  const scans = {
    allow: scanned('allow'),
    block: scanned('block'),
    timeout: scanned('timeout'),
    error: scanned('error'),
    unreadable: scanned('unreadable'),
    overloaded: scanned('overloaded'),
    abandoned: scanned('abandoned'),
  } satisfies Record<ScanResult, Cell>;
  const pipelineSeconds = families.scanSeconds.observer('pipeline');

  return {
    exchange(upstream, method, status, seconds) {
      const known = METHODS.has(method) ? method : 'other';
      const { methods } = ofUpstream(upstream);
      let ofMethod = methods.get(known);
      if (ofMethod === undefined) {
        ofMethod = { duration: families.duration.observer(upstream, known), statuses: new Map() };
        methods.set(known, ofMethod);
      }
      ofMethod.duration(seconds);
      let count = ofMethod.statuses.get(status);
      if (count === undefined) {
        count = families.requests.cell(upstream, known, String(status));
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
      scans[result].value += 1;
      pipelineSeconds(seconds);
    },
    detection: (category, action) => families.detections.inc({ category, action }),
    shadow: (category, action) => families.shadows.inc({ category, action }),
    failedOpen: (reason) => families.failedOpen.inc({ reason }),
    unscannable: (reason, count = 1) => families.unscannable.inc({ reason }, count),
    upstreamFault: (upstream, fault) => families.upstreamFaults.inc({ upstream, fault }),
    streamAborted: (upstream, side) => families.aborts.inc({ upstream, side }),
    firstByte: (upstream, seconds) => ofUpstream(upstream).firstByte(seconds),
    added: (upstream, seconds) => ofUpstream(upstream).added(seconds),
    rateLimited: (policy) => families.rateLimited.inc({ policy }),
    refusedConnection: (reason) => families.refusedConnections.inc({ reason }),
    workerEvent: (event) => families.workerEvents.inc({ event }),
    reload(ok) {
      families.reloadOk.set(ok ? 1 : 0);
      if (ok) families.reloadAt.set(Math.floor(Date.now() / 1000));
    },
    fleet: {
      connected: (is) => families.planeConnected.set(is ? 1 : 0),
      bundle: (version) => families.bundleVersion.set(version),
      refused: (fault) => families.bundlesRefused.inc({ fault }),
      dropped: (events) => families.eventsDropped.inc(events),
    },
    observeScanner({ depth, signatureCount }) {
      askedAtEachLook(families.queueDepth, depth);
      askedAtEachLook(families.signatures, signatureCount);
    },
    async page() {
      return { contentType: page.contentType, text: await page.text() };
    },
    close: page.clear,
  };
}

/** prom-client calls `collect` before it reads a gauge. Its types know that only of the constructor's settings. */
function askedAtEachLook(gauge: { set(value: number): void }, value: () => number): void {
  (gauge as unknown as { collect: () => void }).collect = () => gauge.set(value());
}

/**
 * Initializes the series, so that a rate is zero and not absent before the first event: an alert on an absent series
 * never fires.
 */
function startAtZero(families: Families, upstreams: readonly string[]): void {
  const { detections, refusedConnections, workerEvents, inflight, reloadOk, reloadAt } = families;
  for (const category of CATEGORIES) {
    for (const action of ACTIONS) if (action !== 'allow') detections.inc({ category, action }, 0);
  }
  for (const reason of REFUSED_CONNECTIONS) refusedConnections.inc({ reason }, 0);
  for (const event of WORKER_EVENTS) workerEvents.inc({ event }, 0);
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
