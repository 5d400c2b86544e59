import { patched, type Patch } from '../../domain/stream.ts';

/**
 * The frames of a stream that still wait, for their judgement or for leave to go, numbered from its first. Their bytes stand one
 * behind the other in a block of the log's own: what is judged together is one piece of it and what goes out together is one,
 * and the small buffers that the socket gave die young. Kept by the thousand, those are what collections of garbage cost.
 */
export interface FrameLog {
  add(frame: Buffer): void;
  /** The number of the first frame that has not gone. */
  first(): number;
  /** The number that the next frame will have. */
  next(): number;
  /** Bytes that have not gone. */
  heldBytes(): number;
  /** The number of the first frame that was not taken to be judged; how many there are, and their bytes. */
  taken(): number;
  untaken(): number;
  untakenBytes(): number;
  /** So many of those, and where each ends. */
  take(most: number): { readonly bytes: Buffer; readonly ends: readonly number[] };
  /** A frame that has gone is not amended any more. */
  amend(patch: Patch): void;
  /** What goes now: all before this number, in one piece. Null when that is nothing. */
  release(until: number): Buffer | null;
  clear(): void;
}

/** Twenty-five frames of a chat or so; a stream that waits for more gets more. */
const BLOCK = 8192;

export function createFrameLog(): FrameLog {
  let block: Buffer = NOTHING;
  /** Where frame number `base` begins in the block, and where each frame from that on ends. */
  let from = 0;
  let ends: number[] = [];
  let base = 0;
  let gone = 0;
  let taken = 0;
  const patches = new Map<number, Patch[]>();

  const begins = (number: number): number => (number === base ? from : ends[number - base - 1]!);
  const end = (): number => (ends.length === 0 ? from : ends[ends.length - 1]!);
  const next = (): number => base + ends.length;

  /** Nothing is written over what was given away: what is still needed moves on into a new block. */
  function makeRoomFor(bytes: number): void {
    const least = Math.min(gone, taken);
    const start = begins(least);
    const live = block.subarray(start, end());
    block = Buffer.allocUnsafeSlow(Math.max(BLOCK, 2 * (live.length + bytes)));
    block.set(live);
    ends = ends.slice(least - base).map((at) => at - start);
    base = least;
    from = 0;
  }

  return {
    add(frame) {
      let at = end();
      if (at + frame.length > block.length) {
        makeRoomFor(frame.length);
        at = end();
      }
      block.set(frame, at);
      ends.push(at + frame.length);
    },
    first: () => gone,
    next,
    heldBytes: () => end() - begins(gone),
    taken: () => taken,
    untaken: () => next() - taken,
    untakenBytes: () => end() - begins(taken),
    take(most) {
      const start = begins(taken);
      const mine = ends.slice(taken - base, taken - base + most);
      taken += mine.length;
      return { bytes: block.subarray(start, begins(taken)), ends: mine.map((at) => at - start) };
    },
    amend(patch) {
      const mine = patches.get(patch.frame);
      if (mine === undefined) patches.set(patch.frame, [patch]);
      else mine.push(patch);
    },
    release(until) {
      const last = Math.min(until, next());
      if (last <= gone) return null;
      const first = gone;
      gone = last;
      if (patches.size === 0) return block.subarray(begins(first), begins(last));
      const frames: Buffer[] = [];
      for (let number = first; number < last; number += 1) {
        const frame = block.subarray(begins(number), begins(number + 1));
        frames.push(patched(frame, patches.get(number) ?? []));
        patches.delete(number);
      }
      return Buffer.concat(frames);
    },
    clear() {
      gone = taken = base = next();
      block = NOTHING;
      ends = [];
      from = 0;
    },
  };
}

const NOTHING = Buffer.alloc(0);
