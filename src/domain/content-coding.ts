/** A compression in which a body may come. `zstd` can be undone only by newer versions of Node. */
export type Coding = 'gzip' | 'deflate' | 'brotli' | 'zstd';

/** The names of a Content-Encoding header, in lower case, and what they mean. Any other name cannot be read. */
export const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli'],
  ['zstd', 'zstd'],
]);

/** Providers accept at most 32 MB for inference, so no upstream reads a body that decompresses to more. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;
/**
 * Against decompression bombs. Legitimate logs reach a ratio of 50:1. Up to 64 kB (FREE_BYTES) the ratio is not
 * checked.
 */
const MAX_RATIO = 100;
const FREE_BYTES = 64 * 1024;

/** The codings that a Content-Encoding header lists, in the order in which they were applied. */
export function codingNames(header: string): string[] {
  if (header === '') return [];
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** How long the result may be when one coding of a body of this length is undone. */
export function maxDecodedBytes(bytes: number, most = MAX_DECODED_BYTES): number {
  return Math.min(MAX_DECODED_BYTES, Math.max(FREE_BYTES, Math.min(most, bytes * MAX_RATIO)));
}

/** How long a body may be once all of its codings are undone. Without any, that is its own length. */
export function maxPlainBytes(bytes: number, header: string, most?: number): number {
  return codingNames(header).reduce((length) => maxDecodedBytes(length, most), bytes);
}

/** Servers disagree whether `deflate` has the zlib wrapper; the two header bytes tell. */
export function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}
