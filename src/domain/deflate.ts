/** Servers disagree whether `deflate` has the zlib wrapper; the two header bytes tell. */
export function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0;
}
