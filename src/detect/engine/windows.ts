/** Most bytes that one call into the engine reads, since a call cannot be interrupted: about 0.1 ms. */
export const SLICE = 64 * 1024;
/** More than any pattern spans, and more than likeness judges at once, so that nothing is lost at a cut. */
export const OVERLAP = 2 * 1024;

/**
 * Cuts bytes into overlapping windows, so that whatever is shorter than the overlap lies whole in one of them. A cut
 * may fall inside a UTF-8 character: RE2 skips the broken half, and the next window holds the whole character.
 */
export function* windows(bytes: Buffer): Generator<Buffer> {
  if (bytes.length <= SLICE) {
    yield bytes;
    return;
  }
  for (let at = 0; ; at += SLICE - OVERLAP) {
    yield bytes.subarray(at, at + SLICE);
    if (at + SLICE >= bytes.length) return;
  }
}
