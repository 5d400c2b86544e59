/**
 * A task in its slot of the shared control block: what stops it, what it may take, and what its failures are called.
 */
import { watchMemory } from '../src/detect/memory-watch.ts';
import type { Job } from '../src/domain/batch.ts';
import type { Failure } from '../src/domain/failure.ts';
import type { UnreadableReason } from '../src/domain/job.ts';
import { isMemoryShort, LARGE_BYTES } from '../src/domain/memory.ts';
import { enterSlot, isCancelled, leaveSlot } from '../src/scanner/control.ts';
import { unpackedBody } from '../src/wire/content-encoding.ts';

export interface Task<Job> {
  readonly job: Job;
  /** The slot of this task in the shared control block. */
  readonly slot: number;
}

export interface Thread {
  readonly id: number;
  /** Layout in src/scanner/control.ts. */
  readonly control: Int32Array;
  /** Called before each scan, where a test asked for scans that fail. */
  readonly fail: (() => void) | null;
  /** How many patterns it has compiled since its start. */
  readonly made: () => number;
  /** Gives back the memory that the engines took. */
  readonly giveUp: () => void;
}

/** `work` is given the job with its body unpacked. */
export function inSlot<Given extends Job, T>(
  { id, control, fail, made, giveUp }: Thread,
  { job: sent, slot }: Task<Given>,
  work: (job: Given, cancelled: () => boolean) => T,
): T | Failure {
  enterSlot(control, slot, id);
  const startedAt = performance.now();
  const madeBefore = made();
  let isLarge = false;
  try {
    fail?.();
    const job = unpacked(sent);
    if (typeof job === 'string') return { kind: 'unreadable', reason: job };
    isLarge = job.bytes.length >= LARGE_BYTES;
    const isOutOfMemory = isLarge ? watchMemory(job.bytes.length, giveUp) : never;
    let outOfMemory = isOutOfMemory();
    if (outOfMemory) return OUT_OF_MEMORY;
    const outcome = work(job, () => {
      outOfMemory ||= isOutOfMemory();
      return isCancelled(control, slot, made() - madeBefore) || outOfMemory;
    });
    return outOfMemory ? OUT_OF_MEMORY : outcome;
  } catch (error) {
    // Stack overflow or maximum string length, which only a text made for that purpose causes. The sender chose the
    // text, so it must not pass in any failure mode.
    if (error instanceof RangeError) return { kind: 'unreadable', reason: 'decode-budget' };
    // RE2 out of memory, or a bug in guard. It must never count as "nothing found".
    return { kind: 'error', reason: 'engine' };
  } finally {
    // Not left to the collector, which does not know how little there is for the next one.
    if (isLarge && isMemoryShort()) giveUp();
    leaveSlot(control, slot, performance.now() - startedAt);
  }
}

/** How much memory a scan takes goes by what is read, so the body is unpacked before anything else. */
function unpacked<Given extends Job>(job: Given): Given | UnreadableReason {
  if (!('contentEncoding' in job) || job.contentEncoding === '') return job;
  const bytes = unpackedBody(job);
  return typeof bytes === 'string' ? bytes : { ...job, bytes };
}

const OUT_OF_MEMORY: Failure = { kind: 'unreadable', reason: 'scan-memory' };

function never(): boolean {
  return false;
}
