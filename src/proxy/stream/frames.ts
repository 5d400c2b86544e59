import type { StreamKind } from './in-band.ts';

/** Cuts a byte stream into frames, each with its separator, so that putting them together again gives the same bytes. */
export interface Framer {
  /** The frames that this chunk completed. */
  push(chunk: Buffer): Buffer[];
  /** What is left when the stream ends; empty when it ended at a boundary. */
  rest(): Buffer;
  pendingBytes(): number;
}

const LF = 10;
const CR = 13;

export function createFramer(kind: StreamKind): Framer {
  let pending: Buffer = EMPTY;
  /** How far `pending` was looked through, and what the last look saw. */
  let at = 0;
  let lineEmpty = true;
  let afterReturn = false;
  /** Where each line end stands next, asked again only from there: else a stream of one would be searched for the other at each. */
  let feedAt = -1;
  let returnAt = -1;

  function lineEnd(): number {
    if (feedAt < at) feedAt = nextOf(pending, LF, at);
    if (returnAt < at) returnAt = nextOf(pending, CR, at);
    return Math.min(feedAt, returnAt);
  }

  /** From line end to line end, which the engine finds faster than a look at each byte; -1 when no frame ends any more. */
  function nextEnd(): number {
    for (;;) {
      const byte = pending[at];
      if (byte === undefined) return -1;
      if (byte === LF && afterReturn) {
        // The second half of a line end. When it comes after its frame was cut, it goes out with the next one.
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
      afterReturn = byte === CR;
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
