/** Decompresses a copy of the body, so that the scan sees what the upstream will see after decoding. */
import { isUtf8 } from 'node:buffer';
import * as zlib from 'node:zlib';
import { CODINGS, codingNames, hasZlibHeader, maxDecodedBytes, type Coding } from '../domain/content-coding.ts';
import type { ScanJob, UnreadableReason } from '../domain/job.ts';
import { startsLikeObject } from './read-text.ts';

const MAX_LAYERS = 2;

interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
type Options = zlib.ZlibOptions & zlib.BrotliOptions;
type Unpack = (bytes: Uint8Array, options: Options) => unknown;

const zstd: unknown = Reflect.get(zlib, 'zstdDecompressSync');
const UNPACK: Readonly<Record<Coding, Unpack | null>> = {
  gzip: zlib.gunzipSync,
  deflate: inflate,
  brotli: zlib.brotliDecompressSync,
  zstd: typeof zstd === 'function' ? (zstd as Unpack) : null,
};

/** Null for a name that is unknown, or that this version of Node cannot undo. */
function unpackOf(name: string): Unpack | null {
  const coding = CODINGS.get(name);
  return coding === undefined ? null : UNPACK[coding];
}

function inflate(bytes: Uint8Array, options: Options): unknown {
  return hasZlibHeader(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
}

/** What the body of a job says once it is unpacked, or why it must not pass. */
export function unpackedBody({
  bytes,
  contentEncoding,
  maxBytes,
  direction,
}: Pick<ScanJob, 'bytes' | 'contentEncoding' | 'maxBytes' | 'direction'>): Uint8Array | UnreadableReason {
  const decoded = decodeContent(bytes, contentEncoding, maxBytes);
  if (typeof decoded === 'string' || decoded === bytes || direction === 'response') return decoded;
  return isReadableAsSent(bytes) ? 'corrupt-encoding' : decoded;
}

/**
 * Many upstreams never decompress a request, and read the bytes as they were sent. JSON can be written so that it is raw
 * deflate as well, and unpacks to something else. Nothing that compresses makes text, or begins like an object.
 */
function isReadableAsSent(bytes: Uint8Array): boolean {
  return bytes.length >= LEAST_READABLE && (isUtf8(bytes) || startsLikeObject(bytes));
}

/** A few letters come out as a few bytes, which may be letters by chance, and too few to ask for anything. */
const LEAST_READABLE = 24;

/** Undoes the codings of a Content-Encoding header, the last one first. Returns a reason when that fails. */
function decodeContent(bytes: Uint8Array, header: string, most?: number): Uint8Array | UnreadableReason {
  if (header === '') return bytes;
  const layers = codingNames(header);
  if (layers.length > MAX_LAYERS) return 'content-encoding';
  const unpacks = layers.map(unpackOf);
  if (!unpacks.every((unpack) => unpack !== null)) return 'content-encoding';
  let decoded = bytes;
  for (const unpack of unpacks.reverse()) {
    const next = decodeLayer(decoded, unpack, most);
    if (typeof next === 'string') return next;
    decoded = next;
  }
  return decoded;
}

function decodeLayer(bytes: Uint8Array, unpack: Unpack, most?: number): Uint8Array | UnreadableReason {
  if (bytes.length === 0) return bytes;
  try {
    const { buffer, engine } = unpack(bytes, {
      maxOutputLength: maxDecodedBytes(bytes.length, most),
      info: true,
    }) as Unpacked;
    // Bytes after the end of the compressed stream are not part of our result, but another decoder may read them as a
    // further stream. NUL bytes are padding.
    for (let at = engine.bytesWritten; at < bytes.length; at++) if (bytes[at] !== 0) return 'corrupt-encoding';
    return buffer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'decompression-bomb' : 'corrupt-encoding';
  }
}
