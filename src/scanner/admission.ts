/**
 * Limits how much work may wait for a scanning thread. Requests (`calls`) and responses (`answers`) have separate
 * limits, because they are turned away differently: a new request is told to retry, while a response is already paid
 * for and its client is waiting. With one common limit, the steps of a thousand streams would use up all of it, and the
 * few requests that arrive in between would be refused. For the same reason large requests (`bulk`) have their own: a few
 * senders of megabytes must not keep out everybody else.
 */
import type { WaitingJob, JobKind } from '../domain/batch.ts';

export const LANES = ['calls', 'answers', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

/** From this size on, a body takes a thread for longer than a caller of a short one should wait. */
export const BULK_BYTES = 262_144;

export interface Admission {
  admits(lane: Lane, bytes: number): boolean;
  entered(lane: Lane, bytes: number): void;
  left(lane: Lane, bytes: number): void;
  /** Reports how long a scan took, without waiting and hand-over. */
  measured(lane: Lane, ms: number): void;
  resize(limits: AdmissionLimits): void;
}

/**
 * A job is admitted if it should start within this time, estimated from the duration of recent scans. It is less than
 * the time after which waiting is given up, which is half of the timeout, so that what is admitted is scanned.
 */
const QUEUE_SHARE = 0.4;
const MOST_QUEUE_MS = 200;
const MIN_ADMITTED = 64;

export function queueTargetFor(timeoutMs: number): number {
  return Math.min(MOST_QUEUE_MS, QUEUE_SHARE * timeoutMs);
}

export interface AdmissionLimits {
  readonly threads: number;
  /** How many bytes each lane may hold at once. That of short bodies needs half of it. */
  readonly bytes: number;
  readonly queueMs: number;
}

export function laneOf(kind: JobKind, job: WaitingJob): Lane {
  if (kind === 'stream' || ('direction' in job && job.direction === 'response')) return 'answers';
  return job.bytes.length > BULK_BYTES ? 'bulk' : 'calls';
}

export function createAdmission(slots: number, atFirst: AdmissionLimits): Admission {
  let limits = atFirst;
  const lanes = {
    calls: { jobs: 0, bytes: 0, runMs: 1 },
    answers: { jobs: 0, bytes: 0, runMs: 1 },
    bulk: { jobs: 0, bytes: 0, runMs: 1 },
  } satisfies Record<Lane, unknown>;
  return {
    admits(name, bytes) {
      const lane = lanes[name];
      const { threads, queueMs } = limits;
      const mostBytes = name === 'calls' ? limits.bytes / 2 : limits.bytes;
      const most = Math.max(MIN_ADMITTED, Math.floor((threads * queueMs) / Math.max(lane.runMs, 0.02)));
      return (
        lane.jobs < Math.min(most, slots / LANES.length) &&
        // A single body is always admitted, whatever its size, as long as no other one is in the lane.
        (lane.bytes === 0 || lane.bytes + bytes <= mostBytes)
      );
    },
    entered(name, bytes) {
      lanes[name].jobs += 1;
      lanes[name].bytes += bytes;
    },
    left(name, bytes) {
      lanes[name].jobs -= 1;
      lanes[name].bytes -= bytes;
    },
    measured(name, ms) {
      lanes[name].runMs += 0.05 * (ms - lanes[name].runMs);
    },
    resize(next) {
      limits = next;
    },
  };
}
