/**
 * The messages between a proxy and its control plane. Each side parses what the other sent with these readers,
 * because the other side may be another version, broken or hostile. A message with one wrong field is rejected as a
 * whole: its reader returns null.
 */
import { NAME } from '../domain/name.ts';
import { ACTIONS, CATEGORIES } from '../domain/verdict.ts';

export interface Registration {
  /** The id from an earlier registration. The server keeps it when the same key asks for it again. */
  readonly instanceId: string | null;
  readonly name: string;
  readonly group: string;
  readonly version: string;
}

export interface Heartbeat {
  readonly version: string;
  readonly bundleVersion: number;
  readonly policyEtag: string | null;
  readonly signatures: number;
  readonly refused: { readonly version: number; readonly fault: string } | null;
  /** Requests since the bundle in force was taken, and how many of them were blocked. */
  readonly requests: number;
  readonly blocked: number;
  /** Events that this instance lost since its start. */
  readonly dropped: number;
}

/** What an instance should run. A null `bundle` leaves it as it is; version 0 means the shipped signatures. */
export interface Orders {
  readonly heartbeatS: number;
  readonly bundle: { readonly version: number; readonly digest: string } | null;
  readonly policyEtag: string | null;
}

export interface DetectionRow {
  readonly hour: string;
  readonly upstream: string;
  /** `none` for requests in which nothing was found; one of ours, or `other`. */
  readonly category: string;
  readonly action: string;
  readonly signature: string;
  readonly shadow: boolean;
  readonly count: number;
}

/** One bucket of a histogram: how many calls had a scan time within it. */
export interface LatencyRow {
  readonly hour: string;
  readonly upstream: string;
  readonly bucket: number;
  readonly count: number;
}

export interface EventBatch {
  readonly detections: readonly DetectionRow[];
  readonly latencies: readonly LatencyRow[];
}

/**
 * The refusal code for an instance that belongs to another key. It tells this refusal from others of the same status,
 * because the client can resolve this one by registering again.
 */
export const FOREIGN_INSTANCE = 'foreign_instance';
/** The refusal code for an instance that is not known, or not any more. */
export const UNKNOWN_INSTANCE = 'unknown_instance';

/** What is counted under a category or an action that this version does not know. */
export const OTHER = 'other';
/** A name of an operator's own signature may be longer; events carry no more of it than this. */
export const MOST_SIGNATURE_NAME = 200;

export const MAX_ROWS = 2000;
export const MAX_BATCH_BYTES = 262_144;
/** The limit for an unpacked batch. A batch with the most rows, each as long as allowed, still fits. */
export const MAX_BATCH_TEXT = 2_097_152;

/**
 * Each bucket is twice as wide as the one before. The first ends at 16 microseconds, and the last begins past one
 * minute.
 */
export const LATENCY_BUCKETS = 24;

/** The bucket of a scan time in milliseconds: `0.5 -> 5`. The page computes the bounds of buckets for its charts. */
export function latencyBucket(ms: number): number {
  if (!(ms > 0.016)) return 0;
  return Math.min(LATENCY_BUCKETS - 1, Math.max(0, Math.ceil(Math.log2(ms / 0.016))));
}

const INSTANCE = /^[0-9a-f]{32}$/;
const ETAG = /^[0-9a-f]{16,64}$/;
const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;
const HOUR = /^\d{4}-\d{2}-\d{2}T\d{2}:00:00\.000Z$/;
const KNOWN_CATEGORIES: ReadonlySet<string> = new Set(['none', ...CATEGORIES]);
const KNOWN_ACTIONS: ReadonlySet<string> = new Set(ACTIONS);
const MOST = Number.MAX_SAFE_INTEGER;
const MOST_VERSION = 2_147_483_647;

type Fields = Readonly<Record<string, unknown>>;

export function readRegistration(value: unknown): Registration | null {
  return read(value, (fields) => ({
    instanceId: maybe(fields.instance_id, (id) => matching(id, INSTANCE)),
    name: plain(fields.name, 100),
    group: matching(fields.group ?? 'default', NAME),
    version: matching(fields.version, VERSION),
  }));
}

export function readHeartbeat(value: unknown): Heartbeat | null {
  return read(value, (fields) => ({
    version: matching(fields.version, VERSION),
    bundleVersion: count(fields.bundle_version, MOST_VERSION),
    policyEtag: maybe(fields.policy_etag, (etag) => matching(etag, ETAG)),
    signatures: count(fields.signatures, 1_000_000),
    refused: maybe(fields.refused, (refused) => {
      const { version, fault } = record(refused);
      return { version: count(version, MOST_VERSION), fault: matching(fault, NAME) };
    }),
    requests: count(fields.requests, MOST),
    blocked: count(fields.blocked, MOST),
    dropped: count(fields.dropped, MOST),
  }));
}

export function readOrders(value: unknown): Orders | null {
  return read(value, (fields) => ({
    heartbeatS: count(fields.heartbeat_s, 3600),
    bundle: maybe(fields.bundle, (bundle) => {
      const { version, digest } = record(bundle);
      return { version: count(version, MOST_VERSION), digest: version === 0 ? '' : matching(digest, ETAG) };
    }),
    policyEtag: maybe(fields.policy_etag, (etag) => matching(etag, ETAG)),
  }));
}

export function readInstanceId(value: unknown): string | null {
  return read(value, (fields) => matching(fields.instance_id, INSTANCE));
}

export function readRefusalCode(value: unknown): string | null {
  return read(value, ({ error }) => matching(record(error).code, NAME));
}

export function readBatch(value: unknown): EventBatch | null {
  return read(value, (fields) => {
    const detections = list(fields.detections).map((row) => {
      const { hour, upstream, category, action, signature, shadow, count: times } = record(row);
      return {
        hour: hourOf(hour),
        upstream: plain(upstream, 64),
        category: oneOf(KNOWN_CATEGORIES, category === '' ? 'none' : category),
        action: oneOf(KNOWN_ACTIONS, action),
        signature: signature === '' ? '' : plain(signature, MOST_SIGNATURE_NAME),
        shadow: shadow === true,
        count: count(times, 1_000_000_000),
      };
    });
    const latencies = list(fields.latencies).map((row) => {
      const { hour, upstream, bucket, count: times } = record(row);
      return {
        hour: hourOf(hour),
        upstream: plain(upstream, 64),
        bucket: count(bucket, LATENCY_BUCKETS - 1),
        count: count(times, 1_000_000_000),
      };
    });
    if (detections.length + latencies.length > MAX_ROWS) throw MISFIT;
    return { detections, latencies };
  });
}

/** Thrown only within this file, to stop reading a message at its first wrong field. */
const MISFIT = new Error('misfit');

function read<Message>(value: unknown, take: (fields: Fields) => Message): Message | null {
  try {
    return take(record(value));
  } catch (error) {
    if (error === MISFIT) return null;
    throw error;
  }
}

function record(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw MISFIT;
  return value as Fields;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MAX_ROWS) throw MISFIT;
  return value as unknown[];
}

function maybe<Value>(value: unknown, take: (value: unknown) => Value): Value | null {
  return value === undefined || value === null ? null : take(value);
}

function matching(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || value.length > 128 || !pattern.test(value)) throw MISFIT;
  return value;
}

/**
 * A single line of text. Control characters become spaces, because PostgreSQL cannot store NUL. Lone surrogates are
 * replaced, because UTF-8 cannot encode them.
 */
function plain(value: unknown, max: number): string {
  if (typeof value !== 'string' || value === '' || value.length > max) throw MISFIT;
  return Buffer.from(value.replace(/[\u0000-\u001f\u007f]/g, ' ')).toString();
}

/** A moment that exists. `Date.parse` takes 31 November for 1 December, and PostgreSQL fails the whole transaction. */
function hourOf(value: unknown): string {
  const hour = matching(value, HOUR);
  const at = Date.parse(hour);
  if (Number.isNaN(at) || new Date(at).toISOString() !== hour) throw MISFIT;
  return hour;
}

/** Anything else that is a name counts as `other`: a newer instance may know more, and an odd one makes no rows. */
function oneOf(known: ReadonlySet<string>, value: unknown): string {
  const name = matching(value, NAME);
  return known.has(name) ? name : OTHER;
}

function count(value: unknown, most: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > most) throw MISFIT;
  return value;
}
