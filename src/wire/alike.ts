/**
 * Frames of one stream mostly say the same but for a few letters. One that differs from the frame before it in nothing but the
 * inside of its one text is read by comparing the two, which costs a tenth of reading it.
 */
import { SMALL_CHARS } from './passages.ts';
import { piecesOf, type Framing, type Piece } from './pieces.ts';

/** A frame without its text, and what it says with one. */
interface Mould {
  readonly before: string;
  readonly after: string;
  readonly pieces: readonly Piece[];
  /** Which of the pieces is the text. */
  readonly which: number;
}

export function createPieceReader(framing: Framing): (frame: string) => readonly Piece[] {
  let mould: Mould | null = null;
  return (frame) => {
    if (mould !== null) {
      const { pieces, which } = mould;
      const text = textIn(frame, mould);
      if (text !== null) return pieces.with(which, { ...pieces[which]!, text });
    }
    const pieces = piecesOf(frame, framing);
    mould = mouldOf(frame, pieces);
    return pieces;
  };
}

/**
 * Letters, digits and marks that mean nothing to any reader of strings: no escape, no quote, and nothing that opens a document,
 * a tag, an address of data or the end of a stream.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ,.;!?'()-]*$/u;

function textIn(frame: string, { before, after }: Mould): string | null {
  if (frame.length <= before.length + after.length || !frame.startsWith(before) || !frame.endsWith(after)) return null;
  const text = frame.slice(before.length, frame.length - after.length);
  return text.length <= SMALL_CHARS && PLAIN.test(text) ? text : null;
}

/** Keys whose value says who speaks, or what of; any other string is text, whatever stands in it. */
const TEXT_KEY = /"(?!role"|type")[a-z_]{1,32}": ?"$/;

/**
 * Null where what stands in the text may change how the frame is read. Without an escape in the whole frame a string stands in
 * it as it is; the one that stands there once, behind a key, is the piece.
 */
function mouldOf(frame: string, pieces: readonly Piece[]): Mould | null {
  // Where a short text is not told with its place, a long one would be; what has no place is a name, and stays the same.
  const which = pieces.findIndex(({ where }) => where !== '(event)');
  if (which === -1 || !pieces.every((piece, at) => isSimple(piece) && (at === which || piece.where === '(event)')))
    return null;
  const { text } = pieces[which]!;
  if (text === '' || text.length > SMALL_CHARS || !PLAIN.test(text) || frame.includes('\\')) return null;
  const literal = `"${text}"`;
  const at = frame.indexOf(literal);
  if (at === -1 || frame.indexOf(literal, at + 1) !== -1) return null;
  const before = frame.slice(0, at + 1);
  if (!TEXT_KEY.test(before.slice(-40))) return null;
  return { before, after: frame.slice(at + 1 + text.length), pieces, which };
}

function isSimple({ holds, nested }: Piece): boolean {
  return holds && !nested;
}
