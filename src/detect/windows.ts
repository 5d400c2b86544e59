/**
 * Cuts bytes into overlapping windows, so that whatever is shorter than the overlap lies whole in one of them. Cuts may
 * fall inside a UTF-8 character: RE2 skips the broken half, and the window beside it holds the character whole.
 */
export function* windows(bytes: Buffer, size: number, overlap: number): Generator<Buffer> {
  if (bytes.length <= size) {
    yield bytes;
    return;
  }
  const step = size - overlap;
  for (let at = 0; ; at += step) {
    yield bytes.subarray(at, at + size);
    if (at + size >= bytes.length) return;
  }
}
