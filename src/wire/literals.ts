/**
 * Where the pieces of a frame stand in its bytes, so that one can be replaced there.
 *
 * Readers give text and no places: most frames are never rewritten. So the literals are found again by their values, and a
 * piece is placed only when each literal of its value is one of the pieces; then whichever of them is which, all are placed right.
 */
import { unescape } from '../text/escapes.ts';
import type { Piece } from './pieces.ts';

export interface Literal {
  /** The first byte after the quote. */
  readonly byte: number;
  readonly raw: string;
}

/** For each piece its literal, or null where that is not certain. */
export function placesIn(frame: string, bytes: number, pieces: readonly Piece[]): (Literal | null)[] {
  const nowhere = pieces.map(() => null);
  // Bytes that are no text were replaced as they were read, and what stands behind them was moved.
  if (Buffer.byteLength(frame) !== bytes) return nowhere;
  const literals = new Map<string, Literal[]>();
  let byte = 0;
  let counted = 0;
  for (const { start, end } of valuesIn(frame)) {
    const raw = frame.slice(start, end);
    byte += Buffer.byteLength(frame.slice(counted, start));
    counted = start;
    const text = unescape(raw);
    const same = literals.get(text);
    if (same === undefined) literals.set(text, [{ byte, raw }]);
    else same.push({ byte, raw });
  }
  const counts = new Map<string, number>();
  for (const piece of pieces) {
    if (piece.nested || !piece.holds) continue;
    const text = valueOf(piece);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const next = new Map<string, number>();
  return pieces.map((piece) => {
    if (piece.nested) return null;
    const text = valueOf(piece);
    const same = literals.get(text);
    if (same === undefined || same.length !== counts.get(text)) return null;
    // What grows is read a second time, from the same literals.
    const reading = `${piece.holds} ${text}`;
    const at = next.get(reading) ?? 0;
    next.set(reading, at + 1);
    return same[at] ?? null;
  });
}

/** Where each character of a literal's text begins in its raw form, with the end behind the last; null when they do not agree. */
export function offsetsIn(raw: string, text: string): number[] | null {
  const offsets: number[] = [];
  let at = 0;
  while (at < raw.length) {
    offsets.push(at);
    at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
  }
  offsets.push(raw.length);
  return at === raw.length && offsets.length === text.length + 1 ? offsets : null;
}

/** Small strings are put together line by line. */
function valueOf({ channel, text }: Piece): string {
  return channel.includes(' small ') ? text.slice(0, -1) : text;
}

/** The values between quotes; what a colon follows is a key. */
function* valuesIn(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let quote = text.indexOf('"');
  while (quote !== -1) {
    const start = quote + 1;
    let end = start;
    for (; end < text.length && text[end] !== '"'; end += 1) if (text[end] === '\\') end += 1;
    if (end >= text.length) return;
    let after = end + 1;
    while (after < text.length && BLANK.has(text[after]!)) after += 1;
    if (text[after] !== ':') yield { start, end };
    quote = text.indexOf('"', end + 1);
  }
}

const BLANK: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n']);
