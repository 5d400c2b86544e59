/**
 * Finds the string literals of a frame that hold its pieces, so that a piece can be masked in the bytes.
 *
 * The readers return text without positions, because most frames are never rewritten. So literals are found by their
 * value. A piece gets a position only if the frame has as many literals of its value as pieces of that value. Then it
 * does not matter which literal belongs to which piece.
 */
import { unescape } from '../text/escapes.ts';
import { asInFrame } from './pieces.ts';
import type { Piece } from './pieces.ts';

export interface Literal {
  /** Byte offset of the first character after the opening quote. */
  readonly byte: number;
  /** The literal as written in the frame, with its escapes and without its quotes. */
  readonly raw: string;
}

/** For each piece its literal, or null where that is not certain. `bytes` is the length of the frame in bytes. */
export function placesIn(frame: string, bytes: number, pieces: readonly Piece[]): (Literal | null)[] {
  const nowhere = pieces.map(() => null);
  // Invalid UTF-8 was replaced when the frame was decoded, which moves everything after it.
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
    const text = asInFrame(piece);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const next = new Map<string, number>();
  return pieces.map((piece) => {
    if (piece.nested) return null;
    const text = asInFrame(piece);
    const same = literals.get(text);
    if (same === undefined || same.length !== counts.get(text)) return null;
    // Pieces that do not hold the frame are a second reading of the same literals, so they are counted separately.
    const reading = `${piece.holds} ${text}`;
    const at = next.get(reading) ?? 0;
    next.set(reading, at + 1);
    return same[at] ?? null;
  });
}

/**
 * For each character of the text its offset in the raw literal, and the end of the literal as the last element.
 * `('a\\nb', 'a\nb') -> [0, 1, 3, 4]`. Null when the two do not correspond.
 */
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

/** The string literals of a text that are values. A literal followed by a colon is a key. */
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
