import { gzipSync } from 'node:zlib';
import { createBundleFollower } from './client-bundle.ts';
import { createCall, type Called } from './client-call.ts';
import type { Events } from './client-events.ts';
import { createKeptStore, type Kept } from './client-kept.ts';
import { createPolicyFollower } from './client-policy.ts';
import type { ClientHooks, ClientSettings } from './client-settings.ts';
import { parsedJson } from './parsed-json.ts';
import {
  FOREIGN_INSTANCE,
  readInstanceId,
  readOrders,
  readRefusalCode,
  UNKNOWN_INSTANCE,
  type Orders,
} from './protocol.ts';

/**
 * The proxy's side of a fleet. It polls the control plane at its own pace and applies what it trusts. A failure here
 * causes a log line and a metric, and never affects traffic or readiness.
 */

export interface Client {
  /** Forgets what was refused: the configuration has changed, so it may be accepted now. */
  reconsider(): void;
  /** The policy is not in force any more. */
  forgetPolicy(): void;
  close(): Promise<void>;
}

const SMALL = 65_536;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 60_000;
/**
 * Batches sent per heartbeat. The queue of an outage drains soon, but the whole fleet does not send everything at
 * once.
 */
const BATCHES_A_TURN = 20;
/** Statuses that mean that the batch itself is invalid. After any other it is sent again under the same key. */
const BATCH_FAULTS = new Set([400, 413, 415, 422]);

/** Starts to poll the control plane. `before` is the state from disk. */
export function startClient(settings: ClientSettings, hooks: ClientHooks, events: Events, before: Kept): Client {
  const closing = new AbortController();
  const call = createCall(settings.url, settings.apiKey, closing.signal);
  const store = createKeptStore(settings.folder, before, (code) => hooks.notKept(code));
  const bundles = createBundleFollower(settings, call, store, hooks, () => events.restart());
  const policies = createPolicyFollower(settings, call, store, hooks);
  let isConnected = false;
  let lastReason: string | null = null;
  let failures = 0;
  let paceMs = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Returns null on success, else the reason. */
  async function register(): Promise<string | null> {
    const body = JSON.stringify({
      instance_id: store.kept().instanceId,
      name: settings.name,
      group: settings.group,
      version: settings.engine,
    });
    const called = await call({ method: 'POST', path: '/v1/instances', body, maxBytes: SMALL });
    const id = called.kind === 'answered' && called.status === 201 ? readInstanceId(parsedJson(called.bytes)) : null;
    if (id === null) return faultOf(called);
    store.change({ instanceId: id });
    return null;
  }

  async function heartbeat(id: string): Promise<Orders | string> {
    const kept = store.kept();
    const body = JSON.stringify({
      version: settings.engine,
      bundle_version: kept.bundle?.manifest.version ?? 0,
      policy_etag: kept.policy?.etag ?? null,
      signatures: hooks.signatureCount(),
      refused: bundles.refused(),
      ...events.trafficSinceRestart(),
      dropped: events.dropped(),
    });
    const called = await call({ method: 'POST', path: `/v1/instances/${id}/heartbeat`, body, maxBytes: SMALL });
    const orders = called.kind === 'answered' && called.status === 200 ? readOrders(parsedJson(called.bytes)) : null;
    if (isGivenUp(called)) store.change({ instanceId: null });
    return orders ?? faultOf(called);
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
    const fault = store.kept().instanceId === null ? await register() : null;
    const id = store.kept().instanceId;
    if (fault !== null || id === null) return missed(fault ?? 'no registration');
    const orders = await heartbeat(id);
    if (typeof orders === 'string') return missed(orders);
    failures = 0;
    lastReason = null;
    if (!isConnected) hooks.connected(id);
    isConnected = true;
    await sendEvents(id);
    if (orders.bundle !== null) await bundles.follow(id, orders.bundle);
    await policies.follow(id, orders.policyEtag);
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
      bundles.reconsider();
      policies.reconsider();
    },
    forgetPolicy() {
      store.change({ policy: null });
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

/**
 * Whether the server has forgotten this instance, or our key has changed, so that the next turn registers again. The
 * status alone does not say so: an ingress whose backend is being replaced answers 404 to everything, and a new id
 * costs the instance its group.
 */
function isGivenUp(called: Called): boolean {
  if (called.kind !== 'answered' || (called.status !== 403 && called.status !== 404)) return false;
  const code = readRefusalCode(parsedJson(called.bytes));
  return called.status === 404 ? code === UNKNOWN_INSTANCE : code === FOREIGN_INSTANCE;
}
