/**
 * The bytes of a body as the main thread holds them: one array, or the pieces in which a long one arrived. Pieces are
 * not joined: a new array of ten megabytes costs the event loop more in fresh pages than in copying, and everything
 * that takes a body (a mailbox, a socket) takes it piece by piece.
 */
export type Bytes = Uint8Array | Pieces;

export interface Pieces {
  /** Of all of them together. */
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

export function piecesOf(bytes: Bytes): readonly Uint8Array[] {
  return 'pieces' in bytes ? bytes.pieces : [bytes];
}

/** Only for bodies that are known to be short, or where nobody waits. */
export function joined(bytes: Bytes): Buffer {
  if ('pieces' in bytes) return Buffer.concat(bytes.pieces, bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
