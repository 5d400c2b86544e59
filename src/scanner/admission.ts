/**
 * How much work may wait. There are two lanes, because the two kinds of work are turned away differently: a new call is told to
 * come again, while an answer is paid for, and its reader waits. In one line, the steps of a thousand streams would take every
 * place and the few calls that begin in between would be shed.
 */
import type { Job, JobKind } from '../domain/batch.ts';

export type Lane = 'calls' | 'answers';

export interface Admission {
  admits(lane: Lane, bytes: number): boolean;
  entered(lane: Lane, bytes: number): void;
  left(lane: Lane, bytes: number): void;
  /** What one job of a batch took. */
  measured(lane: Lane, ms: number): void;
  /** So many threads are at work from now on, and so many bytes may be here at once. */
  resize(threads: number, mostBytes: number): void;
}

/** Queued work is admitted as long as it should start within this time, going by what scans have cost lately. */
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
        // One body of any legal size always fits: being alone, it cannot be too much.
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
