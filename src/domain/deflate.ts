/** Servers disagree on whether `Content-Encoding: deflate` includes the zlib wrapper. The first two bytes tell. */
export function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}
