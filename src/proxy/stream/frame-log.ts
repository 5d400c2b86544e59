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
  firstHeld(): number;
  /** The number that the next frame will get. */
  nextNumber(): number;
  /** Bytes that have not been released. */
  heldBytes(): number;
  /** The number of the first frame that has not been taken for scanning. */
  firstUntaken(): number;
  /** How many frames have not been taken for scanning, and how many bytes they have. */
  untakenFrames(): number;
  untakenBytes(): number;
  /** Takes up to `most` frames for scanning. `ends` are the byte offsets in `bytes` where each frame ends. */
  take(most: number): { readonly bytes: Buffer; readonly ends: readonly number[] };
  /** Adds a patch that is applied when its frame is released. A patch of a frame already released has no effect. */
  addPatch(patch: Patch): void;
  /**
   * Releases frames before number `until` and returns their bytes in one piece, or null when there are none: as many as
   * have up to `mostBytes`, and at least one.
   */
  release(until: number, mostBytes?: number): Buffer | null;
  clear(): void;
}

/** Holds about 25 frames of a chat stream. A new block is larger when more bytes are waiting. */
const BLOCK_BYTES = 8192;

export function createFrameLog(): FrameLog {
  let block: Buffer = NOTHING;
  /** Offset in the block where frame number `firstInBlock` begins, and the end offsets of it and all later frames. */
  let blockStart = 0;
  let ends: number[] = [];
  let firstInBlock = 0;
  let firstHeld = 0;
  let firstUntaken = 0;
  const patches = new Map<number, Patch[]>();

  const startOf = (number: number): number => (number === firstInBlock ? blockStart : ends[number - firstInBlock - 1]!);
  const endOfAll = (): number => (ends.length === 0 ? blockStart : ends[ends.length - 1]!);
  const nextNumber = (): number => firstInBlock + ends.length;

  /** The number behind the frames from `first` on that have up to `mostBytes`, and behind one at least. */
  function lastWithin(mostBytes: number, first: number, most: number): number {
    let last = first + 1;
    while (last < most && startOf(last + 1) - startOf(first) <= mostBytes) last += 1;
    return last;
  }

  /**
   * Moves the bytes that are still needed into a new block. The old block is never reused, because slices of it were
   * handed out by `take` and `release`.
   */
  function makeRoomFor(bytes: number): void {
    const firstNeeded = Math.min(firstHeld, firstUntaken);
    const start = startOf(firstNeeded);
    const live = block.subarray(start, endOfAll());
    block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * (live.length + bytes)));
    block.set(live);
    ends = ends.slice(firstNeeded - firstInBlock).map((at) => at - start);
    firstInBlock = firstNeeded;
    blockStart = 0;
  }

  return {
    add(frame) {
      let at = endOfAll();
      if (at + frame.length > block.length) {
        makeRoomFor(frame.length);
        at = endOfAll();
      }
      block.set(frame, at);
      ends.push(at + frame.length);
    },
    firstHeld: () => firstHeld,
    nextNumber,
    heldBytes: () => endOfAll() - startOf(firstHeld),
    firstUntaken: () => firstUntaken,
    untakenFrames: () => nextNumber() - firstUntaken,
    untakenBytes: () => endOfAll() - startOf(firstUntaken),
    take(most) {
      const start = startOf(firstUntaken);
      const taken = ends.slice(firstUntaken - firstInBlock, firstUntaken - firstInBlock + most);
      firstUntaken += taken.length;
      return { bytes: block.subarray(start, startOf(firstUntaken)), ends: taken.map((at) => at - start) };
    },
    addPatch(patch) {
      const ofFrame = patches.get(patch.frame);
      if (ofFrame === undefined) patches.set(patch.frame, [patch]);
      else ofFrame.push(patch);
    },
    release(until, mostBytes = Infinity) {
      const most = Math.min(until, nextNumber());
      if (most <= firstHeld) return null;
      const first = firstHeld;
      const last = startOf(most) - startOf(first) > mostBytes ? lastWithin(mostBytes, first, most) : most;
      firstHeld = last;
      if (patches.size === 0) return block.subarray(startOf(first), startOf(last));
      const frames: Buffer[] = [];
      for (let number = first; number < last; number += 1) {
        const frame = block.subarray(startOf(number), startOf(number + 1));
        frames.push(applyPatches(frame, patches.get(number) ?? []));
        patches.delete(number);
      }
      return Buffer.concat(frames);
    },
    clear() {
      firstHeld = firstUntaken = firstInBlock = nextNumber();
      block = NOTHING;
      ends = [];
      blockStart = 0;
    },
  };
}

const NOTHING = Buffer.alloc(0);
