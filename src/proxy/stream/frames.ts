import type { StreamKind } from './in-band.ts';
import { createPending } from './pending.ts';

/**
 * Cuts a byte stream into frames. Each frame includes its separator, so the frames joined together are the original
 * bytes. SSE: `'data: a\n\ndata: b\n\n' -> 'data: a\n\n', 'data: b\n\n'`. NDJSON: one frame per line.
 */
export interface Framer {
  /** The frames that this chunk completed. */
  push(chunk: Buffer): Buffer[];
  /** The incomplete frame at the end of the stream; empty when the stream ended at a frame boundary. */
  incompleteFrame(): Buffer;
  pendingBytes(): number;
  /** Whether the bytes are no such frames. What arrives from then on comes back as it is. */
  isMalformed(): boolean;
}

const LF = 10;
const CR = 13;

export function createFramer(kind: StreamKind): Framer {
  const unfinished = createPending();
  let pending = unfinished.bytes();
  /**
   * `isLineEmpty`: the current line has no bytes so far. `isAfterCr`: the last byte was a CR that ended a line, so a
   * following LF belongs to the same line end. In NDJSON a CR ends nothing.
   */
  let searchedTo = 0;
  let isLineEmpty = true;
  let isAfterCr = false;
  /**
   * Offsets of the next LF and the next CR, searched again only once they have been passed. Otherwise a stream that
   * uses only one of them would be searched to its end for the other one on every line.
   */
  let nextLf = -1;
  let nextCr = -1;

  function nextLineEnd(): number {
    if (nextLf < searchedTo) nextLf = indexOrEnd(pending, LF, searchedTo);
    if (nextCr < searchedTo) nextCr = indexOrEnd(pending, CR, searchedTo);
    return Math.min(nextLf, nextCr);
  }

  /**
   * Returns the end offset of the next frame, or -1 when no frame is complete. It jumps from line end to line end with
   * `indexOf`, which is faster than a loop over the bytes.
   */
  function nextFrameEnd(): number {
    for (;;) {
      const byte = pending[searchedTo];
      if (byte === undefined) return -1;
      if (byte === LF && isAfterCr) {
        // The LF of a CRLF. When it arrives in a later chunk than its CR, it becomes part of the next frame.
        isAfterCr = false;
        searchedTo += 1;
        continue;
      }
      isAfterCr = false;
      if (byte !== LF && byte !== CR) {
        isLineEmpty = false;
        searchedTo = nextLineEnd();
        continue;
      }
      const endsFrame = kind === 'ndjson' ? byte === LF : isLineEmpty;
      if (kind === 'sse') isLineEmpty = true;
      isAfterCr = byte === CR && kind === 'sse';
      searchedTo += 1;
      if (!endsFrame) continue;
      if (isAfterCr && pending[searchedTo] === LF) {
        searchedTo += 1;
        isAfterCr = false;
      }
      return searchedTo;
    }
  }

  return {
    push(chunk) {
      pending = unfinished.add(chunk);
      nextLf = nextCr = -1;
      const frames: Buffer[] = [];
      let start = 0;
      for (let end = nextFrameEnd(); end !== -1; end = nextFrameEnd()) {
        if (end > start) frames.push(pending.subarray(start, end));
        start = end;
      }
      unfinished.drop(start);
      searchedTo -= start;
      return frames;
    },
    incompleteFrame: unfinished.bytes,
    pendingBytes: unfinished.size,
    isMalformed: () => false,
  };
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found === -1 ? bytes.length : found;
}
