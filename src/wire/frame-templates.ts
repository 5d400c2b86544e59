/**
 * A fast path for reading the frames of a stream. Most frames of a stream are identical except for a few characters of
 * text: `{"choices":[{"delta":{"content":"Hel"}}]}` and `{"choices":[{"delta":{"content":"lo"}}]}`. A frame that
 * differs from an earlier one only in that text is read by comparing the two, at a tenth of the cost of parsing it.
 */
import { holdsFrames } from '../domain/stream.ts';
import { SMALL_CHARS } from './passages.ts';
import { piecesOf, type Framing, type Piece } from './pieces.ts';

/** A template: a frame with its text cut out, and the pieces that such a frame has. */
interface Template {
  /** The frame up to the text. */
  readonly before: string;
  /** The frame after the text. If it contains noise (see NOISE), the part up to the noise, and `end` is the rest. */
  readonly after: string;
  readonly end: string | null;
  readonly pieces: readonly Piece[];
  /** Index in `pieces` of the text that varies. */
  readonly which: number;
}

/**
 * Recent templates, by the beginning of the frame. A scan step has only few frames, so even the first of them should
 * find a template. A template gives the same result as parsing the frame, so it may come from another stream, and a
 * thread that does not have it is only slower.
 */
const templates = new Map<string, Template>();
const MAX_TEMPLATES = 512;
const NAME_CHARS = 80;
/** A long frame is rare, and not worth the memory. */
const MAX_TEMPLATE_CHARS = 2048;

/** Returns a reader for the frames of one stream. It gives the same pieces as `piecesOf`. */
export function createPieceReader(framing: Framing): (frame: string) => readonly Piece[] {
  let template: Template | null = null;
  const nameOf = (frame: string): string => `${framing.kind} ${framing.path} ${frame.slice(0, NAME_CHARS)}`;

  return (frame) => {
    template ??= templates.get(nameOf(frame)) ?? null;
    const text = template === null ? null : varyingTextOf(frame, template);
    if (template !== null && text !== null) {
      const { pieces, which } = template;
      return pieces.with(which, { ...pieces[which]!, text });
    }
    const pieces = piecesOf(frame, framing);
    template = frame.length > MAX_TEMPLATE_CHARS ? null : templateOf(frame, pieces);
    if (template !== null) storeTemplate(nameOf(frame), template);
    return pieces;
  };
}

function storeTemplate(name: string, template: Template): void {
  // Deleting first moves the entry to the end, so the oldest is evicted. A stream that still needs that one recreates
  // it.
  templates.delete(name);
  templates.set(name, template);
  if (templates.size > MAX_TEMPLATES) templates.delete(templates.keys().next().value!);
}

/**
 * Text that cannot influence how a frame is parsed: letters, digits and harmless punctuation. It has no escape or
 * quote, and nothing that could begin a JSON document, a tag, a `data:` URL or an end marker of a stream.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} ,.;!?'()-]*$/u;

function varyingTextOf(frame: string, template: Template): string | null {
  const { before, after, end } = template;
  if (!holdsAt(frame, 0, before)) return null;
  if (end === null) {
    const to = frame.length - after.length;
    return to > before.length && holdsAt(frame, to, after) ? ifPlain(frame.slice(before.length, to)) : null;
  }
  const to = frame.indexOf('"', before.length);
  const noiseFrom = to + after.length;
  const noiseTo = frame.length - end.length;
  // In a frame that was cut off, `after` and `end` may share characters.
  if (to <= before.length || noiseTo < noiseFrom) return null;
  if (!holdsAt(frame, to, after) || !holdsAt(frame, noiseTo, end)) return null;
  const noise = frame.slice(noiseFrom, noiseTo);
  return NOISE.test(noise) ? ifPlain(frame.slice(before.length, to)) : null;
}

/** What `startsWith` would say, in a third of its time: it goes letter by letter. `at` is not negative. */
function holdsAt(frame: string, at: number, part: string): boolean {
  return frame.slice(at, at + part.length) === part;
}

function ifPlain(text: string): string | null {
  return text.length <= SMALL_CHARS && PLAIN.test(text) ? text : null;
}

/**
 * Noise: some providers add random characters, so that the length of a frame does not reveal the length of its text.
 */
const NOISY_KEY = '"obfuscation":"';
const NOISE = /^[A-Za-z0-9]{0,64}$/;

/**
 * Matches a frame that is cut behind a key, just before its value. Excluded are `role` and `type`, whose values change
 * how the frame is read. The value of any other key is text, whatever it contains.
 */
const TEXT_KEY = /"(?!role"|type")[a-z_]{1,32}": ?"$/;

/**
 * Makes a template of a frame, or returns null when its text could change how the frame is read. The whole frame must
 * be free of escapes, so that strings occur in it verbatim. The text must occur exactly once, as the value of a key.
 */
function templateOf(frame: string, pieces: readonly Piece[]): Template | null {
  // The text must be the only piece with a place. Short strings at places unknown to the grammar have the place
  // '(event)', and only a longer one would have its own. They are names, and belong to the fixed part of the frame.
  const varyingPiece = pieces.findIndex(({ where }) => where !== '(event)');
  if (
    varyingPiece === -1 ||
    !pieces.every((piece, at) => isSimple(piece) && (at === varyingPiece || piece.where === '(event)'))
  )
    return null;
  const { text } = pieces[varyingPiece]!;
  if (text === '' || text.length > SMALL_CHARS || !PLAIN.test(text) || frame.includes('\\')) return null;
  const literal = `"${text}"`;
  const at = frame.indexOf(literal);
  if (at === -1 || frame.indexOf(literal, at + 1) !== -1) return null;
  const before = frame.slice(0, at + 1);
  if (!TEXT_KEY.test(before.slice(-40))) return null;
  const rest = frame.slice(at + 1 + text.length);
  const noise = noiseIn(rest, pieces);
  return {
    before: copyOf(before),
    after: copyOf(rest.slice(0, noise?.from)),
    end: noise === null ? null : copyOf(rest.slice(noise.to)),
    pieces: pieces.with(varyingPiece, { ...pieces[varyingPiece]!, text: '' }),
    which: varyingPiece,
  };
}

/** The position of the noise, or null when there is none, or when the same characters also occur in a piece. */
function noiseIn(rest: string, pieces: readonly Piece[]): { readonly from: number; readonly to: number } | null {
  const key = rest.indexOf(NOISY_KEY);
  if (key === -1) return null;
  const from = key + NOISY_KEY.length;
  const to = rest.indexOf('"', from);
  const noise = rest.slice(from, to);
  return to > from && NOISE.test(noise) && !pieces.some(({ text }) => text.includes(noise)) ? { from, to } : null;
}

/** Copies a string. In V8 a slice keeps the whole original alive, and a template outlives the frames of its step. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function isSimple({ kind, nested }: Piece): boolean {
  return holdsFrames(kind) && !nested;
}
