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

/** Servers disagree whether `deflate` has the zlib wrapper; the two header bytes tell. */
export function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}
