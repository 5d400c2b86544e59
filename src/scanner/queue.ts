import { LANES, type Lane } from './admission.ts';
import { batchSize, longerBytesOf, type BatchLimits, type QueuedJob } from './batch.ts';

/** A task that waits for a thread, in its lane. */
export interface Queued extends QueuedJob {
  readonly lane: Lane;
}

/** What waits for a thread: one queue per lane, oldest first. */
export interface Queue<Task extends Queued> {
  add(task: Task): void;
  /** Adds a task that is to be in the next batch. */
  addFirst(task: Task): void;
  /** Takes a task out; false when it is not there. */
  withdraw(task: Task): boolean;
  /**
   * The next batch for one of so many threads, or null when nothing may start. What may not start waits, and later tasks
   * overtake it.
   */
  nextBatch(mayStart: (task: Task) => boolean, threads: number, most: BatchLimits): readonly [Task, ...Task[]] | null;
  /** How many wait, or how many of a kind. */
  count(isSuch?: (task: Task) => boolean): number;
  /** How many bytes of longer bodies wait: those that are not counted by their number. */
  longerBytes(): number;
}

export function createQueue<Task extends Queued>(): Queue<Task> {
  const lanes: Readonly<Record<Lane, Task[]>> = { calls: [], answers: [], bulk: [] };
  let longerBytes = 0;
  /** The lane that was served last. */
  let lastLane: Lane = 'calls';
  return {
    add(task) {
      lanes[task.lane].push(task);
      longerBytes += longerBytesOf(task);
    },
    addFirst(task) {
      lanes[task.lane].unshift(task);
      longerBytes += longerBytesOf(task);
      lastLane = LANES[(LANES.indexOf(task.lane) + LANES.length - 1) % LANES.length]!;
    },
    withdraw(task) {
      const lane = lanes[task.lane];
      const at = lane.indexOf(task);
      if (at === -1) return false;
      lane.splice(at, 1);
      longerBytes -= longerBytesOf(task);
      return true;
    },
    nextBatch(mayStart, threads, most) {
      const served = LANES.indexOf(lastLane);
      // The lanes take turns while several have work, so a long queue in one does not block the others.
      for (let i = 1; i <= LANES.length; i += 1) {
        const name = LANES[(served + i) % LANES.length]!;
        const lane = lanes[name];
        const at = lane.findIndex(mayStart);
        if (at === -1) continue;
        lastLane = name;
        const share = Math.ceil(lane.length / threads);
        const waiting = at === 0 ? lane : lane.slice(at);
        const batch = lane.splice(at, batchSize(waiting, share, most));
        for (const task of batch) longerBytes -= longerBytesOf(task);
        return batch as [Task, ...Task[]];
      }
      return null;
    },
    count: (isSuch) => LANES.reduce((sum, name) => sum + (isSuch ? lanes[name].filter(isSuch) : lanes[name]).length, 0),
    longerBytes: () => longerBytes,
  };
}
