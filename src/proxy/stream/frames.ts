import type { StreamKind } from './in-band.ts';

/**
 * Cuts a byte stream into frames. Each frame includes its separator, so the frames joined together are the original
 * bytes. SSE: `'data: a\n\ndata: b\n\n' -> 'data: a\n\n', 'data: b\n\n'`. NDJSON: one frame per line.
 */
export interface Framer {
  /** The frames that this chunk completed. */
  push(chunk: Buffer): Buffer[];
  /** The incomplete frame at the end of the stream; empty when the stream ended at a frame boundary. */
  rest(): Buffer;
  pendingBytes(): number;
}

const LF = 10;
const CR = 13;

export function createFramer(kind: StreamKind): Framer {
  let pending: Buffer = EMPTY;
  /**
   * `pending` was searched up to offset `at`. `lineEmpty`: the current line has no bytes so far. `afterReturn`: the
   * last byte was a CR that ended a line, so a following LF belongs to the same line end. In NDJSON a CR ends nothing.
   */
  let at = 0;
  let lineEmpty = true;
  let afterReturn = false;
  /**
   * Offsets of the next LF and the next CR, searched again only once they have been passed. Otherwise a stream that
   * uses only one of them would be searched to its end for the other one on every line.
   */
  let feedAt = -1;
  let returnAt = -1;

  function lineEnd(): number {
    if (feedAt < at) feedAt = nextOf(pending, LF, at);
    if (returnAt < at) returnAt = nextOf(pending, CR, at);
    return Math.min(feedAt, returnAt);
  }

  /**
   * Returns the end offset of the next frame, or -1 when no frame is complete. It jumps from line end to line end with
   * `indexOf`, which is faster than a loop over the bytes.
   */
  function nextEnd(): number {
    for (;;) {
      const byte = pending[at];
      if (byte === undefined) return -1;
      if (byte === LF && afterReturn) {
        // The LF of a CRLF. When it arrives in a later chunk than its CR, it becomes part of the next frame.
        afterReturn = false;
        at += 1;
        continue;
      }
      afterReturn = false;
      if (byte !== LF && byte !== CR) {
        lineEmpty = false;
        at = lineEnd();
        continue;
      }
      const ends = kind === 'ndjson' ? byte === LF : lineEmpty;
      if (kind === 'sse') lineEmpty = true;
      afterReturn = byte === CR && kind === 'sse';
      at += 1;
      if (!ends) continue;
      if (afterReturn && pending[at] === LF) {
        at += 1;
        afterReturn = false;
      }
      return at;
    }
  }

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      feedAt = returnAt = -1;
      const frames: Buffer[] = [];
      let start = 0;
      for (let end = nextEnd(); end !== -1; end = nextEnd()) {
        if (end > start) frames.push(pending.subarray(start, end));
        start = end;
      }
      pending = start === 0 ? pending : pending.subarray(start);
      at -= start;
      return frames;
    },
    rest: () => pending,
    pendingBytes: () => pending.length,
  };
}

const EMPTY = Buffer.alloc(0);

function nextOf(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found === -1 ? bytes.length : found;
}
