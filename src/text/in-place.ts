import type { Decoded } from './decoders/decoder.ts';

/** What still stands around a decoded piece when it is read in place: more than any signature spans. */
const AROUND = 400;

/**
 * The text with every piece where its encoding stood; the earlier of two that overlap wins. Only the surroundings of
 * the pieces are kept: the rest was read as it stands, and reading all of a long body again for one escape in it
 * would double the cost of honest traffic.
 */
export function inPlace(text: string, pieces: readonly Decoded[]): string {
  const taken = new Uint8Array(text.length);
  const kept: Decoded[] = [];
  for (const piece of pieces) {
    if (piece.end <= piece.start || taken.subarray(piece.start, piece.end).includes(1)) continue;
    taken.fill(1, piece.start, piece.end);
    kept.push(piece);
  }
  kept.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let at = 0;
  for (const { text: plain, start, end } of kept) {
    if (start - at <= 2 * AROUND) parts.push(text.slice(at, start));
    else {
      if (at > 0) parts.push(text.slice(at, at + AROUND), '\n');
      parts.push(text.slice(start - AROUND, start));
    }
    parts.push(plain);
    at = end;
  }
  parts.push(text.slice(at, at + AROUND));
  return parts.join('');
}
