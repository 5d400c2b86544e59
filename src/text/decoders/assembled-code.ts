import { couldBeText, scratchFor, textOf } from './bytes.ts';
import { BASE64, bytesOfSextets } from './sextets.ts';

/** Helpers for base64 that was assembled from scattered characters: a buffer for it, and decoding to text. */
const ROOM = new Uint16Array(65_536);

export function codeFor(length: number): Uint16Array {
  return length <= ROOM.length ? ROOM : new Uint16Array(length);
}

export function textOfCode(code: Uint16Array, size: number): string | null {
  const bytes = scratchFor(size);
  const length = bytesOfSextets(code, 0, size, BASE64, bytes);
  return couldBeText(bytes, length) ? textOf(bytes.subarray(0, length)) : null;
}
