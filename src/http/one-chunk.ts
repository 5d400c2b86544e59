import type { ServerResponse } from 'node:http';

const CR = 13;
const LF = 10;
/** More than this is not copied: an allocation beyond Node's pool costs more than three small buffers in a `writev`. */
const MAX_COPIED_BYTES = 4000;

/**
 * Writes the bytes as one HTTP chunk, a short one from one buffer. Node writes a chunk as four buffers (length, line
 * end, bytes, line end) in one `writev` call. For an event of a word or two, that costs more than everything else done
 * for the event.
 */
export function writeAsOneChunk(client: ServerResponse, bytes: Buffer): boolean {
  if (!client.chunkedEncoding || bytes.length === 0 || bytes.length > MAX_COPIED_BYTES) return client.write(bytes);
  const length = `${bytes.length.toString(16)}\r\n`;
  const end = length.length + bytes.length;
  const chunk = Buffer.allocUnsafe(end + 2);
  chunk.write(length, 'latin1');
  bytes.copy(chunk, length.length);
  chunk[end] = CR;
  chunk[end + 1] = LF;
  // Switched off for this write only, since the chunk framing is already in the bytes. `end` and `sever` need the flag
  // to match the response head.
  client.chunkedEncoding = false;
  try {
    return client.write(chunk);
  } finally {
    client.chunkedEncoding = true;
  }
}
