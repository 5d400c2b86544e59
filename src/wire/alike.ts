/**
 * Frames of one stream mostly say the same but for a few letters. One that differs from a frame before it in nothing but the
 * inside of its one text is read by comparing the two, which costs a tenth of reading it.
 */
import { SMALL_CHARS } from './passages.ts';
import { piecesOf, type Framing, type Piece } from './pieces.ts';

/** A frame without its text, and what it says with one. */
interface Mould {
  readonly before: string;
  /** What stands behind the text; in two parts where noise stands between them. */
  readonly after: string;
  readonly end: string | null;
  readonly pieces: readonly Piece[];
  /** Which of the pieces is the text. */
  readonly which: number;
}

/**
 * What frames looked like lately, by how they begin: a step of a stream brings few frames, and its first one need not be read
 * either. A mould says nothing that its frame does not, so that it may come from another stream, and a thread without it is only
 * slower.
 */
const moulds = new Map<string, Mould>();
const MOST_MOULDS = 512;
const BEGINNING = 80;
/** A long frame is rare, and not worth the memory. */
const LONGEST = 2048;

export function createPieceReader(framing: Framing): (frame: string) => readonly Piece[] {
  let mould: Mould | null = null;
  const nameOf = (frame: string): string => `${framing.kind} ${framing.path} ${frame.slice(0, BEGINNING)}`;

  return (frame) => {
    mould ??= moulds.get(nameOf(frame)) ?? null;
    const text = mould === null ? null : textIn(frame, mould);
    if (mould !== null && text !== null) {
      const { pieces, which } = mould;
      return pieces.with(which, { ...pieces[which]!, text });
    }
    const pieces = piecesOf(frame, framing);
    mould = frame.length > LONGEST ? null : mouldOf(frame, pieces);
    if (mould !== null) remember(nameOf(frame), mould);
    return pieces;
  };
}

function remember(name: string, mould: Mould): void {
  // Anew, so that those go first that were made long ago; a stream that goes on makes its own again.
  moulds.delete(name);
  moulds.set(name, mould);
  if (moulds.size > MOST_MOULDS) moulds.delete(moulds.keys().next().value!);
}

/**
 * Letters, digits and marks that mean nothing to any reader of strings: no escape, no quote, and nothing that opens a document,
 * a tag, an address of data or the end of a stream.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ,.;!?'()-]*$/u;

function textIn(frame: string, mould: Mould): string | null {
  const { before, after, end } = mould;
  if (!frame.startsWith(before)) return null;
  if (end === null) {
    if (frame.length <= before.length + after.length || !frame.endsWith(after)) return null;
    return plain(frame.slice(before.length, frame.length - after.length));
  }
  const to = frame.indexOf('"', before.length);
  if (to <= before.length || !frame.startsWith(after, to) || !frame.endsWith(end)) return null;
  const noise = frame.slice(to + after.length, frame.length - end.length);
  return NOISE.test(noise) ? plain(frame.slice(before.length, to)) : null;
}

function plain(text: string): string | null {
  return text.length <= SMALL_CHARS && PLAIN.test(text) ? text : null;
}

/** Letters drawn at random, so that the length of a frame does not tell that of its text. */
const NOISY_KEY = '"obfuscation":"';
const NOISE = /^[A-Za-z0-9]{0,64}$/;

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
  const rest = frame.slice(at + 1 + text.length);
  const noise = noiseIn(rest, pieces);
  return {
    before: apart(before),
    after: apart(rest.slice(0, noise?.from)),
    end: noise === null ? null : apart(rest.slice(noise.to)),
    pieces: pieces.with(which, { ...pieces[which]!, text: '' }),
    which,
  };
}

/** Null when there is none, and when it cannot be told from what is read. */
function noiseIn(rest: string, pieces: readonly Piece[]): { readonly from: number; readonly to: number } | null {
  const key = rest.indexOf(NOISY_KEY);
  if (key === -1) return null;
  const from = key + NOISY_KEY.length;
  const to = rest.indexOf('"', from);
  const noise = rest.slice(from, to);
  return to > from && NOISE.test(noise) && !pieces.some(({ text }) => text.includes(noise)) ? { from, to } : null;
}

/** A part of a text keeps the whole of it, and a mould is kept longer than the frames of its step. */
function apart(text: string): string {
  return Buffer.from(text).toString();
}

function isSimple({ holds, nested }: Piece): boolean {
  return holds && !nested;
}
