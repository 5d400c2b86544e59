import { gzipSync } from 'node:zlib';
import { BUNDLE_FAULTS, clockFault, MAX_BUNDLE_BYTES, openBundle, type BundleFault, type Manifest } from './bundle.ts';
import type { TrustedKey } from './bundle-keys.ts';
import type { Payload } from './bundle-payload.ts';
import { createCall, type Called } from './client-call.ts';
import type { Events } from './client-events.ts';
import { keep, type Kept } from './client-kept.ts';
import { FOREIGN_INSTANCE, readInstanceId, readOrders, readRefusalCode, type Orders } from './protocol.ts';

/**
 * The proxy's side of a fleet. It polls the control plane at its own pace and applies what it trusts. A failure here
 * causes a log line and a metric, and never affects traffic or readiness.
 */

export interface ClientSettings {
  readonly url: string;
  readonly apiKey: string;
  /** Null to beat as the control plane says. */
  readonly heartbeatS: number | null;
  readonly name: string;
  readonly group: string;
  readonly folder: string | null;
  /** Whether the policy of the group is applied. */
  readonly policy: boolean;
  readonly trusted: readonly TrustedKey[];
  readonly engine: string;
}

/** Problems as text; empty when the change is in force. Rejects when the failure was not caused by the content. */
type Applied = Promise<readonly string[]>;

export interface ClientHooks {
  applyBundle(payload: Payload | null): Applied;
  applyPolicy(policy: unknown): Applied;
  signatureCount(): number;
  connected(instanceId: string): void;
  lost(reason: string): void;
  bundleTaken(version: number): void;
  bundleRefused(version: number, fault: BundleFault, reason: string, problems: readonly string[]): void;
  policyTaken(etag: string | null): void;
  policyRefused(problems: readonly string[]): void;
  notKept(code: string): void;
}

export interface Client {
  /** Forgets what was refused: the configuration has changed, so it may be accepted now. */
  reconsider(): void;
  close(): Promise<void>;
}

const SMALL = 65_536;
const MAX_POLICY_BYTES = 524_288;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 60_000;
/**
 * Batches sent per heartbeat. The queue of an outage drains soon, but the whole fleet does not send everything at
 * once.
 */
const BATCHES_A_TURN = 20;
/** Statuses that mean that the batch itself is invalid. After any other it is sent again under the same key. */
const BATCH_FAULTS = new Set([400, 413, 415, 422]);

/** The last refused bundle, remembered so that it is neither fetched nor logged again with each heartbeat. */
interface Refused {
  readonly version: number;
  readonly digest: string;
  readonly fault: BundleFault;
  /** The manifest, when only the clock speaks against the bundle. It is fetched again once the clock no longer does. */
  readonly untimely: Manifest | null;
}

/** Starts to poll the control plane. `before` is the state from disk. */
export function startClient(settings: ClientSettings, hooks: ClientHooks, events: Events, before: Kept): Client {
  const closing = new AbortController();
  const call = createCall(settings.url, settings.apiKey, closing.signal);
  let kept = before;
  let refused: Refused | null = null;
  /** Wrapped in an object, because null is an etag as well: that of no policy. */
  let refusedPolicy: { readonly etag: string | null } | null = null;
  let isConnected = false;
  let lastReason: string | null = null;
  let failures = 0;
  let paceMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function hold(change: Partial<Kept>): void {
    kept = { ...kept, ...change };
    const fault = keep(settings.folder, kept);
    if (fault !== null) hooks.notKept(fault);
  }

  /** Returns null on success, else the reason. */
  async function register(): Promise<string | null> {
    const body = JSON.stringify({
      instance_id: kept.instanceId,
      name: settings.name,
      group: settings.group,
      version: settings.engine,
    });
    const called = await call({ method: 'POST', path: '/v1/instances', body, maxBytes: SMALL });
    const id = called.kind === 'answered' && called.status === 201 ? readInstanceId(parse(called.bytes)) : null;
    if (id === null) return faultOf(called);
    hold({ instanceId: id });
    return null;
  }

  async function heartbeat(id: string): Promise<Orders | string> {
    const body = JSON.stringify({
      version: settings.engine,
      bundle_version: kept.bundle?.manifest.version ?? 0,
      policy_etag: kept.policy?.etag ?? null,
      signatures: hooks.signatureCount(),
      refused: refused === null ? null : { version: refused.version, fault: refused.fault },
      ...events.standing(),
      dropped: events.dropped(),
    });
    const called = await call({ method: 'POST', path: `/v1/instances/${id}/heartbeat`, body, maxBytes: SMALL });
    const orders = called.kind === 'answered' && called.status === 200 ? readOrders(parse(called.bytes)) : null;
    // The server has forgotten this instance, or our key has changed. The next turn registers again.
    if (called.kind === 'answered' && called.status === 404) hold({ instanceId: null });
    if (called.kind === 'answered' && called.status === 403 && isForeign(called.bytes)) hold({ instanceId: null });
    return orders ?? faultOf(called);
  }

  async function followBundle(id: string, wanted: NonNullable<Orders['bundle']>): Promise<void> {
    if (wanted.digest === (kept.bundle?.digest ?? '')) {
      refused = null;
      return;
    }
    if (refused?.version === wanted.version && refused.digest === wanted.digest && !inTimeNow(refused)) return;
    const refuse = (fault: BundleFault, problems: readonly string[] = [], untimely: Manifest | null = null): void => {
      refused = { version: wanted.version, digest: wanted.digest, fault, untimely };
      hooks.bundleRefused(wanted.version, fault, BUNDLE_FAULTS[fault], problems);
    };
    if (wanted.version === 0) {
      if (kept.floor > 0) {
        refuse('rollback');
        return;
      }
      const problems = await hooks.applyBundle(null);
      if (problems.length > 0) refuse('unproven', problems);
      else taken(null);
      return;
    }
    const called = await call({ method: 'GET', path: `/v1/instances/${id}/bundle`, maxBytes: MAX_BUNDLE_BYTES });
    if (called.kind === 'too-large') refuse('oversize');
    if (called.kind !== 'answered' || called.status !== 200) return;
    const held = kept.bundle;
    const opened = openBundle(called.bytes, {
      trusted: settings.trusted,
      now: Date.now(),
      engine: settings.engine,
      floor: kept.floor,
      held: held === null ? null : { version: held.manifest.version, digest: held.digest },
    });
    if (opened.kind === 'refused') {
      const { fault, manifest } = opened;
      refuse(fault, [], fault === 'expired' || fault === 'not-yet' ? manifest : null);
      return;
    }
    // A different bundle than announced: the orders changed between the two calls. The next turn handles it.
    if (opened.bundle.digest !== wanted.digest) return;
    const problems = await hooks.applyBundle(opened.bundle.payload);
    if (problems.length > 0) refuse('unproven', problems);
    else taken(opened.bundle);
  }

  function taken(bundle: Kept['bundle']): void {
    const was = kept.bundle?.manifest.version ?? 0;
    const version = bundle?.manifest.version ?? 0;
    // On an upgrade, the version that was in force becomes the floor. Going back to it leaves the floor unchanged.
    hold({ bundle, floor: version > was ? Math.max(kept.floor, was) : kept.floor });
    refused = null;
    events.restart();
    hooks.bundleTaken(version);
  }

  async function followPolicy(id: string, etag: string | null): Promise<void> {
    if (!settings.policy || etag === (kept.policy?.etag ?? null)) return;
    if (refusedPolicy !== null && refusedPolicy.etag === etag) return;
    let value: unknown = null;
    if (etag !== null) {
      const called = await call({ method: 'GET', path: `/v1/instances/${id}/policy`, maxBytes: MAX_POLICY_BYTES });
      if (called.kind !== 'answered' || called.status !== 200) return;
      value = parse(called.bytes);
      if (value === undefined || value === null) return;
    }
    const problems = await hooks.applyPolicy(value);
    if (problems.length > 0) {
      refusedPolicy = { etag };
      hooks.policyRefused(problems);
      return;
    }
    refusedPolicy = null;
    hold({ policy: etag === null ? null : { etag, value } });
    hooks.policyTaken(etag);
  }

  async function sendEvents(id: string): Promise<void> {
    events.seal();
    for (let sent = 0; sent < BATCHES_A_TURN; sent += 1) {
      const sealed = events.next();
      if (sealed === null) return;
      const called = await call({
        method: 'POST',
        path: `/v1/instances/${id}/events`,
        body: gzipSync(JSON.stringify(sealed.batch)),
        headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json', 'Idempotency-Key': sealed.key },
        maxBytes: SMALL,
      });
      if (called.kind === 'answered' && called.status === 202) events.taken(sealed);
      else if (called.kind === 'answered' && BATCH_FAULTS.has(called.status)) events.refused(sealed);
      else return;
    }
  }

  /**
   * One round: register, heartbeat, events, bundle, policy. Returns how long to wait until the next, in milliseconds.
   */
  async function turn(): Promise<number> {
    const fault = kept.instanceId === null ? await register() : null;
    const id = kept.instanceId;
    if (fault !== null || id === null) return missed(fault ?? 'no registration');
    const orders = await heartbeat(id);
    if (typeof orders === 'string') return missed(orders);
    failures = 0;
    lastReason = null;
    if (!isConnected) hooks.connected(id);
    isConnected = true;
    await sendEvents(id);
    if (orders.bundle !== null) await followBundle(id, orders.bundle);
    await followPolicy(id, orders.policyEtag);
    paceMs = paceOf(settings.heartbeatS, orders.heartbeatS) * 1000;
    return paceMs;
  }

  function missed(reason: string): number {
    events.seal();
    if (isConnected || reason !== lastReason) hooks.lost(reason);
    isConnected = false;
    lastReason = reason;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures, 10), Math.max(MOST_WAIT_MS, paceMs));
    failures += 1;
    return wait;
  }

  async function run(): Promise<void> {
    if (closing.signal.aborted) return;
    // Errors thrown by the hooks are internal and not caused by the content, so the next turn tries again.
    const wait = await turn().catch(() => missed('could not be applied'));
    if (closing.signal.aborted) return;
    // Random jitter: instances that were started together must not send their heartbeats at the same time.
    timer = setTimeout(again, wait * (0.9 + Math.random() * 0.2));
    timer.unref();
  }
  let running: Promise<void> = Promise.resolve();
  function again(): void {
    running = run();
  }
  again();

  return {
    reconsider() {
      refused = null;
      refusedPolicy = null;
    },
    async close() {
      clearTimeout(timer);
      closing.abort();
      await running;
    },
  };
}

/**
 * Our own time when it is the shorter one. The control plane tells from its own how long an instance may be silent, so
 * with a longer one this instance would seem to be gone, and would not count in roll-outs.
 */
function paceOf(own: number | null, ordered: number): number {
  return Math.max(1, own === null ? ordered : Math.min(own, ordered));
}

function inTimeNow({ untimely }: Refused): boolean {
  return untimely !== null && clockFault(untimely, Date.now()) === null;
}

/**
 * The reason for the log. 401 and 403 are decisions of the control plane's operator; everything else may be
 * temporary.
 */
function faultOf(called: Called): string {
  if (called.kind === 'failed') return called.reason;
  if (called.kind === 'too-large') return 'the answer is too large';
  if (called.status === 401) return 'the key is not known there';
  if (called.status === 403) return 'the key may not do this';
  return called.status === 200 || called.status === 201 ? 'the answer makes no sense' : `status ${called.status}`;
}

function isForeign(bytes: Buffer): boolean {
  return readRefusalCode(parse(bytes)) === FOREIGN_INSTANCE;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
