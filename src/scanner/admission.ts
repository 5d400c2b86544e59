/**
 * Limits how much work may wait for a scanning thread. Requests (`calls`) and responses (`answers`) have separate
 * limits, because they are turned away differently: a new request is told to retry, while a response is already paid
 * for and its client is waiting. With one common limit, the steps of a thousand streams would use up all of it, and the
 * few requests that arrive in between would be refused.
 */
import type { Job, JobKind } from '../domain/batch.ts';

export type Lane = 'calls' | 'answers';

export interface Admission {
  admits(lane: Lane, bytes: number): boolean;
  entered(lane: Lane, bytes: number): void;
  left(lane: Lane, bytes: number): void;
  /** Reports how long one job of a batch took. */
  measured(lane: Lane, ms: number): void;
  /** Sets the number of threads, and how many bytes each lane may hold at once. */
  resize(threads: number, mostBytes: number): void;
}

/** A job is admitted if it should start within this time, estimated from the duration of recent scans. */
const QUEUE_TARGET_MS = 50;
const MIN_ADMITTED = 64;

export function laneOf(kind: JobKind, job: Job): Lane {
  if (kind === 'stream') return 'answers';
  return 'direction' in job && job.direction === 'response' ? 'answers' : 'calls';
}

export function createAdmission(atFirst: number, slots: number, room: number): Admission {
  let threads = atFirst;
  let mostBytes = room;
  const lanes = {
    calls: { jobs: 0, bytes: 0, runMs: 1 },
    answers: { jobs: 0, bytes: 0, runMs: 1 },
  } satisfies Record<Lane, unknown>;
  return {
    admits(name, bytes) {
      const lane = lanes[name];
      const most = Math.max(MIN_ADMITTED, Math.floor((threads * QUEUE_TARGET_MS) / Math.max(lane.runMs, 0.02)));
      return (
        lane.jobs < Math.min(most, slots / 2) &&
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
    resize(wanted, most) {
      threads = wanted;
      mostBytes = most;
    },
  };
}
