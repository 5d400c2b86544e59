import type { Bytes } from '../domain/bytes.ts';

/** Gathers the chunks of a body while they arrive. */
export interface Gathering {
  /** Returns the number of bytes so far. */
  readonly add: (chunk: Buffer) => number;
  readonly size: () => number;
  readonly whole: () => Bytes;
}

/** Shorter bodies are one array in the end, which costs less than to treat pieces everywhere. */
const SHORT_BYTES = 65_536;
/** So many chunks are kept as they came, whatever their length. Most bodies arrive in one. */
const FEW = 8;
/** Later ones of at least this length are kept as well. */
const LONG_CHUNK = 32_768;
const BLOCK_BYTES = 65_536;

/**
 * Long chunks are kept as they came and never copied. Short ones are copied into blocks once there are more than a few:
 * each chunk is an object of its own, and may keep a whole read of the socket in memory, so that ten megabytes in chunks
 * of one byte would take gigabytes.
 */
export function createGathering(): Gathering {
  const pieces: Buffer[] = [];
  let size = 0;
  let block: Buffer = NO_BLOCK;
  /** What stands in the block between these two is not among the pieces yet. */
  let from = 0;
  let to = 0;

  function endPiece(): void {
    if (to > from) pieces.push(block.subarray(from, to));
    from = to;
  }

  function copy(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (to === block.length) {
        endPiece();
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        from = 0;
        to = 0;
      }
      const copied = chunk.copy(block, to, at);
      at += copied;
      to += copied;
    }
  }

  return {
    add(chunk) {
      size += chunk.length;
      if (pieces.length < FEW || chunk.length >= LONG_CHUNK) {
        endPiece();
        pieces.push(chunk);
      } else copy(chunk);
      return size;
    },
    size: () => size,
    whole() {
      endPiece();
      if (pieces.length === 1) return pieces[0]!;
      return size <= SHORT_BYTES ? Buffer.concat(pieces, size) : { length: size, pieces };
    },
  };
}

const NO_BLOCK = Buffer.alloc(0);
