import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { hasZlibHeader } from '../domain/deflate.ts';
import type { UnreadableReason } from '../domain/job.ts';

/**
 * Decompresses a body when no scanning thread can do it. It runs on Node's thread pool, because the main thread has
 * sockets to serve. Returns null when the body is larger than `most` bytes, has two codings, or one that only some
 * versions of Node support. Returns a reason when the body cannot be read at all.
 */
export async function unpack(bytes: Buffer, coding: string, most: number): Promise<Buffer | UnreadableReason | null> {
  const name = coding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes.length > most ? null : bytes;
  if (name.includes(',') || name === 'zstd' || bytes.length > most) return null;
  const work = CODINGS.get(name);
  if (work === undefined) return 'content-encoding';
  if (bytes.length === 0) return bytes;
  try {
    return await work(bytes, { maxOutputLength: most });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ERR_BUFFER_TOO_LARGE' ? null : 'corrupt-encoding';
  }
}

type Work = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const GUNZIP = promisify(gunzip) as Work;
const INFLATE = promisify(inflate) as Work;
const INFLATE_RAW = promisify(inflateRaw) as Work;

const CODINGS: ReadonlyMap<string, Work> = new Map<string, Work>([
  ['gzip', GUNZIP],
  ['x-gzip', GUNZIP],
  ['br', promisify(brotliDecompress) as Work],
  ['deflate', (bytes, options) => (hasZlibHeader(bytes) ? INFLATE : INFLATE_RAW)(bytes, options)],
]);
