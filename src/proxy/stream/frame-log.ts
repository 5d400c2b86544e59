import { applyPatches, type Patch } from '../../domain/stream.ts';

/**
 * The frames of a stream that are waiting to be scanned or to be sent, numbered from the first frame of the stream.
 * Their bytes are copied one after the other into a block owned by the log. Frames that are scanned or sent together
 * are then one slice of it, without concatenation. The small buffers from the socket become garbage at once: thousands
 * of them kept alive would make garbage collection expensive.
 */
export interface FrameLog {
  add(frame: Buffer): void;
  /** The number of the first frame that has not been released. */
  first(): number;
  /** The number that the next frame will get. */
  next(): number;
  /** Bytes that have not been released. */
  heldBytes(): number;
  /** The number of the first frame that has not been taken for scanning. */
  taken(): number;
  /** How many frames have not been taken for scanning, and how many bytes they have. */
  untaken(): number;
  untakenBytes(): number;
  /** Takes up to `most` frames for scanning. `ends` are the byte offsets in `bytes` where each frame ends. */
  take(most: number): { readonly bytes: Buffer; readonly ends: readonly number[] };
  /** Adds a patch that is applied when its frame is released. A patch of a frame already released has no effect. */
  amend(patch: Patch): void;
  /** Releases all frames before number `until` and returns their bytes in one piece, or null when there are none. */
  release(until: number): Buffer | null;
  clear(): void;
}

/** Holds about 25 frames of a chat stream. A new block is larger when more bytes are waiting. */
const BLOCK = 8192;

export function createFrameLog(): FrameLog {
  let block: Buffer = NOTHING;
  /** Offset in the block where frame number `base` begins, and the end offsets of that frame and all later ones. */
  let from = 0;
  let ends: number[] = [];
  let base = 0;
  let gone = 0;
  let taken = 0;
  const patches = new Map<number, Patch[]>();

  const begins = (number: number): number => (number === base ? from : ends[number - base - 1]!);
  const end = (): number => (ends.length === 0 ? from : ends[ends.length - 1]!);
  const next = (): number => base + ends.length;

  /**
   * Moves the bytes that are still needed into a new block. The old block is never reused, because slices of it were
   * handed out by `take` and `release`.
   */
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
        frames.push(applyPatches(frame, patches.get(number) ?? []));
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
