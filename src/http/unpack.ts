import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { joined, type Bytes } from '../domain/bytes.ts';
import { CODINGS, hasZlibHeader, type Coding } from '../domain/content-coding.ts';
import type { UnreadableReason } from '../domain/job.ts';

/**
 * Decompresses a body when no scanning thread can do it. It runs on Node's thread pool, because the main thread has
 * sockets to serve. Returns null when the body is larger than `most` bytes, has two codings, or one that only some
 * versions of Node support. Returns a reason when the body cannot be read at all.
 */
export async function unpack(packed: Bytes, header: string, most: number): Promise<Buffer | UnreadableReason | null> {
  const name = header.trim().toLowerCase();
  if (name === '' || name === 'identity') return packed.length > most ? null : joined(packed);
  if (name.includes(',') || packed.length > most) return null;
  const coding = CODINGS.get(name);
  if (coding === undefined) return 'content-encoding';
  const work = UNPACK[coding];
  if (work === null) return null;
  const bytes = joined(packed);
  if (bytes.length === 0) return bytes;
  try {
    return await work(bytes, { maxOutputLength: most });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ERR_BUFFER_TOO_LARGE' ? null : 'corrupt-encoding';
  }
}

type Work = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const INFLATE = promisify(inflate) as Work;
const INFLATE_RAW = promisify(inflateRaw) as Work;

const UNPACK: Readonly<Record<Coding, Work | null>> = {
  gzip: promisify(gunzip) as Work,
  deflate: (bytes, options) => (hasZlibHeader(bytes) ? INFLATE : INFLATE_RAW)(bytes, options),
  brotli: promisify(brotliDecompress) as Work,
  zstd: null,
};
