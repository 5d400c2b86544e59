import { aroundIn, widened } from './around.ts';
import type { Decoded } from './decoders/decoder.ts';

/**
 * The in-place reading: the text with each decoded piece where its encoding stood. Of two overlapping pieces the
 * earlier wins. Only the surroundings of the pieces are kept. The rest was already read as it stands, and reading all
 * of a long body again for one escape in it would double the cost of harmless traffic. If `fresh` is given, pieces
 * outside it get no surroundings of their own: they have been read in place before.
 */
export function inPlace(text: string, pieces: readonly Decoded[], fresh?: ReadonlySet<Decoded>): string {
  const parts: string[] = [];
  const spans: [start: number, end: number][] = [];
  let length = 0;
  const push = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const { before, after } = aroundIn(text);
  let at = 0;
  for (const piece of withoutOverlaps(text, pieces)) {
    const { text: plain, start, end } = piece;
    const from = before(start);
    const to = at > 0 ? after(at) : 0;
    if (from <= to) push(text.slice(at, start));
    else {
      if (at > 0) {
        push(text.slice(at, to));
        push('\n');
      }
      push(text.slice(from, start));
    }
    if (fresh?.has(piece)) spans.push([length, length + plain.length]);
    push(plain);
    at = end;
  }
  push(text.slice(at, after(at)));
  const read = parts.join('');
  return fresh === undefined ? read : surroundings(read, spans);
}

/** The pieces that do not overlap, in the order of the text. Of two overlapping ones, the earlier in `pieces` wins. */
function withoutOverlaps(text: string, pieces: readonly Decoded[]): Decoded[] {
  const hasRoom = roomIn(text);
  return pieces.filter(hasRoom).sort((a, b) => a.start - b.start);
}

/**
 * Of each of these lists, the pieces that have no place in one reading, since a piece of an earlier list stands there. What
 * came first need not be what was meant: of words with their letters out of order one decoder mends some, and has taken the
 * places of the one that mends them all.
 */
export function displaced(text: string, lists: readonly (readonly Decoded[])[]): Decoded[][] {
  const hasRoom = roomIn(text);
  return lists.map((pieces) => pieces.filter((piece) => !hasRoom(piece) && piece.end > piece.start));
}

/** Takes the place of each piece that it is asked about, where it is still free. */
function roomIn(text: string): (piece: Decoded) => boolean {
  const taken = new Uint8Array(text.length);
  return ({ start, end }) => {
    if (end <= start || taken.subarray(start, end).includes(1)) return false;
    taken.fill(1, start, end);
    return true;
  };
}

/** Measures the surroundings in the decoded text, not in the original: between two words may lie a page of tags. */
function surroundings(read: string, spans: readonly (readonly [start: number, end: number])[]): string {
  return widened(read, spans)
    .map(([start, end]) => read.slice(start, end))
    .join('\n');
}
