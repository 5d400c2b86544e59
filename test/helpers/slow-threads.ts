/** A generation on threads that end what they were given when a test tells them to, and say how long each scan took. */
import type { JobOutcome, Job } from '../../src/domain/batch.ts';
import { NOT_IN_ROSTER } from '../../src/domain/roster.ts';
import { createControl, enterSlot, isCancelled, leaveSlot } from '../../src/scanner/control.ts';
import { createGeneration, type Generation, type Task } from '../../src/scanner/generation.ts';
import { SLOTS, type Threads } from '../../src/scanner/threads.ts';

/** What one thread has been given. */
interface Work {
  readonly sizes: readonly number[];
  /** The thread starts with the job of this number. */
  begin(at?: number): void;
  /** Nothing was found in it, or it was stopped if it had been told to stop. */
  end(): void;
}

export function slowThreads(wanted: number, scanMs = 1) {
  const atWork: Work[] = [];
  const control = createControl(SLOTS);
  const threads = {
    control,
    wanted: () => wanted,
    ready: () => wanted,
    onReady: () => {},
    send(jobs, hear) {
      const work: Work = {
        sizes: jobs.map(({ job }) => job.bytes.length),
        begin: (at = 0) => enterSlot(control, jobs[at]!.slot, 1),
        end() {
          atWork.splice(atWork.indexOf(work), 1);
          const stopped = jobs.map(({ slot }) => isCancelled(control, slot));
          for (const { slot } of jobs) leaveSlot(control, slot, scanMs);
          hear(
            stopped.map((isStopped) => (isStopped ? { kind: 'timeout', phase: 'run' } : null)),
            true,
          );
        },
      };
      atWork.push(work);
    },
  } as Pick<Threads, 'control' | 'wanted' | 'ready' | 'onReady' | 'send'> as Threads;
  return { threads, atWork, sizes: () => atWork.map(({ sizes }) => sizes) };
}

export function taskOf(bytes: number, generation: Generation, settle: (outcome: JobOutcome) => void = () => {}): Task {
  const job = { bytes: new Uint8Array(bytes) } as unknown as Job;
  return {
    kind: 'scan',
    lane: 'calls',
    job,
    plainBytes: bytes,
    settle,
    isWanted: () => true,
    arrival: 0,
    queueBy: Infinity,
    endBy: Infinity,
    compileMs: 0,
    generation,
    slot: -1,
    retried: false,
    isSlow: false,
    threadDied: false,
    settled: false,
    index: NOT_IN_ROSTER,
  };
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function generationWith(threads: Threads, roomForLarge?: () => number) {
  const settled: number[] = [];
  const generation: Generation = createGeneration(
    threads,
    performance,
    {
      finish: (task) => {
        task.settled = true;
        settled.push(task.job.bytes.length);
      },
      retry: () => false,
      foundSlow: (task) => {
        task.isSlow = true;
        task.lane = 'bulk';
      },
      restart: (task) => {
        generation.take(task);
        return true;
      },
      measured: () => {},
      crashed: () => {},
      threadsDie: () => false,
    },
    roomForLarge,
  );
  return { generation, settled };
}
