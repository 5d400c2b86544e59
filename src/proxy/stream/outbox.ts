import { patched, type Patch } from '../../domain/stream.ts';

/** Frames on their way to the client, in order and numbered from the first of the stream, that wait for leave to go. */
export interface Outbox {
  add(frame: Buffer): void;
  /** The number of the first frame that waits. */
  first(): number;
  /** The number that the next frame will have. */
  next(): number;
  bytes(): number;
  isEmpty(): boolean;
  /** A frame that has gone is not amended any more. */
  amend(patch: Patch): void;
  /** What goes now: all before this number, in one piece. Null when that is nothing. */
  take(until: number): Buffer | null;
  clear(): void;
}

export function createOutbox(): Outbox {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let gone = 0;
  const patches = new Map<number, Patch[]>();

  function rewritten(number: number, frame: Buffer): Buffer {
    const mine = patches.get(number);
    if (mine === undefined) return frame;
    patches.delete(number);
    return patched(frame, mine);
  }

  return {
    add(frame) {
      waiting.push(frame);
      bytes += frame.length;
    },
    first: () => gone,
    next: () => gone + waiting.length,
    bytes: () => bytes,
    isEmpty: () => waiting.length === 0,
    amend(patch) {
      const mine = patches.get(patch.frame);
      if (mine === undefined) patches.set(patch.frame, [patch]);
      else mine.push(patch);
    },
    take(until) {
      const n = Math.min(waiting.length, until - gone);
      if (n <= 0) return null;
      for (let at = 0; at < n; at += 1) {
        bytes -= waiting[at]!.length;
        waiting[at] = rewritten(gone + at, waiting[at]!);
      }
      // In one write: what was judged together goes out together, and a write costs more than all else that is done here.
      const going = n === 1 ? waiting[0]! : Buffer.concat(waiting.slice(0, n));
      waiting = waiting.slice(n);
      gone += n;
      return going;
    },
    clear() {
      waiting = [];
      bytes = 0;
    },
  };
}
