import type { Decoded } from './decoders/decoder.ts';

/** What still stands around a decoded piece when it is read in place: more than any signature spans. */
const AROUND = 400;

/**
 * The text with every piece where its encoding stood; the earlier of two that overlap wins. Only the surroundings of
 * the pieces are kept: the rest was read as it stands, and reading all of a long body again for one escape in it
 * would double the cost of honest traffic. Of pieces that are not `fresh` neither: there it was read with them.
 */
export function inPlace(text: string, pieces: readonly Decoded[], fresh?: ReadonlySet<Decoded>): string {
  const parts: string[] = [];
  const spans: [start: number, end: number][] = [];
  let length = 0;
  const push = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  let at = 0;
  for (const piece of withoutOverlaps(text, pieces)) {
    const { text: plain, start, end } = piece;
    if (start - at <= 2 * AROUND) push(text.slice(at, start));
    else {
      if (at > 0) {
        push(text.slice(at, at + AROUND));
        push('\n');
      }
      push(text.slice(start - AROUND, start));
    }
    if (fresh?.has(piece)) spans.push([length, length + plain.length]);
    push(plain);
    at = end;
  }
  push(text.slice(at, at + AROUND));
  const read = parts.join('');
  return fresh === undefined ? read : surroundings(read, spans);
}

/** Those that find room, in their order; the earlier of two that overlap wins. */
export function withoutOverlaps(text: string, pieces: readonly Decoded[]): Decoded[] {
  const taken = new Uint8Array(text.length);
  const kept: Decoded[] = [];
  for (const piece of pieces) {
    if (piece.end <= piece.start || taken.subarray(piece.start, piece.end).includes(1)) continue;
    taken.fill(1, piece.start, piece.end);
    kept.push(piece);
  }
  return kept.sort((a, b) => a.start - b.start);
}

/** By what is read there, and not by what stood there: between two words may lie a page of tags. */
function surroundings(read: string, spans: readonly (readonly [start: number, end: number])[]): string {
  const parts: string[] = [];
  for (let i = 0; i < spans.length; i += 1) {
    const [start] = spans[i]!;
    while (i + 1 < spans.length && spans[i + 1]![0] - spans[i]![1] <= 2 * AROUND) i += 1;
    parts.push(read.slice(Math.max(0, start - AROUND), spans[i]![1] + AROUND));
  }
  return parts.join('\n');
}
