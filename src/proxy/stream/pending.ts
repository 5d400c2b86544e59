/**
 * The bytes of a frame whose end has not arrived. To join them anew with every chunk would copy a frame of megabytes
 * thousands of times: 8 MB in chunks of 1.4 KB took 13 seconds. A long frame is therefore given twice the room it needs.
 */
export interface Pending {
  /** Adds a chunk and returns all pending bytes. What was handed out before stays as it is. */
  add(chunk: Buffer): Buffer;
  /** Takes bytes off the front, which belong to frames that are complete. */
  drop(bytes: number): void;
  bytes(): Buffer;
  size(): number;
}

/** Most frames that are cut by the end of a chunk are far shorter, and need no room for more. */
const LONG_BYTES = 65_536;
const NOTHING = Buffer.alloc(0);

export function createPending(): Pending {
  let block: Buffer = NOTHING;
  let isOurs = false;
  let from = 0;
  let to = 0;

  function makeRoomFor(bytes: number): void {
    const needed = to - from + bytes;
    const wider = Buffer.allocUnsafe(needed < LONG_BYTES ? needed : 2 * needed);
    wider.set(block.subarray(from, to));
    block = wider;
    isOurs = true;
    to -= from;
    from = 0;
  }

  return {
    add(chunk) {
      if (from === to) {
        block = chunk;
        isOurs = false;
        from = 0;
        to = chunk.length;
        return block;
      }
      if (!isOurs || to + chunk.length > block.length) makeRoomFor(chunk.length);
      block.set(chunk, to);
      to += chunk.length;
      return block.subarray(from, to);
    },
    drop(bytes) {
      from += bytes;
    },
    bytes: () => block.subarray(from, to),
    size: () => to - from,
  };
}
