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

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const frames: Buffer[] = [];
      let start = 0;
      for (; at < pending.length; at += 1) {
        const byte = pending[at]!;
        if (byte === LF && afterReturn) {
          // The second half of a line end. When it comes after its frame was cut, it goes out with the next one.
          afterReturn = false;
          continue;
        }
        afterReturn = byte === CR;
        if (byte !== LF && byte !== CR) {
          lineEmpty = false;
          continue;
        }
        const ends = kind === 'ndjson' ? byte === LF : lineEmpty;
        if (kind === 'sse') lineEmpty = true;
        if (!ends) continue;
        let end = at + 1;
        if (byte === CR && pending[end] === LF) {
          end += 1;
          at += 1;
          afterReturn = false;
        }
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
