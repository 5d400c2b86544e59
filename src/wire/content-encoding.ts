/** Decompresses a copy of the body, so that the scan sees what the upstream will see after decoding. */
import * as zlib from 'node:zlib';
import { hasZlibHeader } from '../domain/deflate.ts';
import type { UnreadableReason } from '../domain/job.ts';

/** Providers accept at most 32 MB for inference, so no upstream reads a body that decompresses to more. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;
/**
 * Against decompression bombs. Legitimate logs reach a ratio of 50:1. Up to 64 kB (FREE_BYTES) the ratio is not
 * checked.
 */
const MAX_RATIO = 100;
const FREE_BYTES = 64 * 1024;
const MAX_LAYERS = 2;

interface Unpacked {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
type Options = zlib.ZlibOptions & zlib.BrotliOptions;
type Unpack = (bytes: Uint8Array, options: Options) => unknown;

const CODINGS = new Map<string, Unpack>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['br', zlib.brotliDecompressSync],
  ['deflate', inflate],
]);
const zstd: unknown = Reflect.get(zlib, 'zstdDecompressSync');
if (typeof zstd === 'function') CODINGS.set('zstd', zstd as Unpack);

function inflate(bytes: Uint8Array, options: Options): unknown {
  return hasZlibHeader(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
}

/** Undoes the codings of a Content-Encoding header, the last one first. Returns a reason when that fails. */
export function decodeContent(bytes: Uint8Array, header: string): Uint8Array | UnreadableReason {
  if (header === '') return bytes;
  const layers = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (layers.length > MAX_LAYERS || layers.some((name) => !CODINGS.has(name))) return 'content-encoding';
  let decoded = bytes;
  for (const name of layers.reverse()) {
    const next = decodeLayer(decoded, CODINGS.get(name)!);
    if (typeof next === 'string') return next;
    decoded = next;
  }
  return decoded;
}

function decodeLayer(bytes: Uint8Array, unpack: Unpack): Uint8Array | UnreadableReason {
  if (bytes.length === 0) return bytes;
  const maxOutputLength = Math.min(MAX_DECODED_BYTES, Math.max(FREE_BYTES, bytes.length * MAX_RATIO));
  try {
    const { buffer, engine } = unpack(bytes, { maxOutputLength, info: true }) as Unpacked;
    // Bytes after the end of the compressed stream are not part of our result, but another decoder may read them as a
    // further stream. NUL bytes are padding.
    for (let at = engine.bytesWritten; at < bytes.length; at++) if (bytes[at] !== 0) return 'corrupt-encoding';
    return buffer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'decompression-bomb' : 'corrupt-encoding';
  }
}
