import type { ServerResponse } from 'node:http';

const CR = 13;
const LF = 10;

/**
 * Writes bytes of a body as one chunk in one piece. Node writes a chunk in four - its length, a line end, the bytes, a line end -
 * which the system is given as a list, and for an event of a word or two that costs more than all else that is done for it.
 */
export function writeWhole(client: ServerResponse, bytes: Buffer): boolean {
  if (!client.chunkedEncoding || bytes.length === 0) return client.write(bytes);
  const length = `${bytes.length.toString(16)}\r\n`;
  const end = length.length + bytes.length;
  const chunk = Buffer.allocUnsafe(end + 2);
  chunk.write(length, 'latin1');
  bytes.copy(chunk, length.length);
  chunk[end] = CR;
  chunk[end + 1] = LF;
  // For this one write alone: whoever ends the response, or breaks it off, must find it chunked as its head says.
  client.chunkedEncoding = false;
  try {
    return client.write(chunk);
  } finally {
    client.chunkedEncoding = true;
  }
}
