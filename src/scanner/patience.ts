/**
 * How long a body may keep a thread while short ones wait for it. What a body costs shows only while it is scanned: a
 * text that was made to be slow takes a hundred times as long as an ordinary one of its size. With a limit by size alone,
 * four senders of such texts, each with one at a time, had four of five other calls refused.
 */
import type { Bytes } from '../domain/bytes.ts';
import { runningFor } from './control.ts';

/** An ordinary body takes a fraction of this. It is long enough that a thread that was just woken is not meant. */
const PATIENCE = { ms: 10, bytesPerMs: 4000 } as const;

/**
 * `bytes` as they were sent: what a compressed body unpacks to is its sender's claim until it has been read. The more slow
 * bodies wait already, the less a further one may take: many such senders must not take all the time of a thread.
 */
export function patienceFor(bytes: number, slowOnes: number): number {
  return PATIENCE.ms + bytes / PATIENCE.bytesPerMs / (1 + slowOnes);
}

interface Held {
  /** Another one than in the batch, once the task was tried again elsewhere. */
  readonly slot: number;
  readonly job: { readonly bytes: Bytes };
}

/** The task of a batch that has kept its thread for longer than that, if there is one. */
export function slowOne<Task extends Held>(
  { tasks, slots }: { readonly tasks: readonly Task[]; readonly slots: readonly number[] },
  control: Int32Array,
  slowOnes: number,
): Task | undefined {
  return tasks.find(({ slot, job }, i) => {
    const running = slot === slots[i] ? runningFor(control, slot) : null;
    return running !== null && running.ms > patienceFor(job.bytes.length, slowOnes);
  });
}
