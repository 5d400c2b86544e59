import { hintedBy, neededBy } from './asked.ts';
import type { Shapes } from './asked.ts';
import { changedLines, type Cut } from './changed-lines.ts';
import type { Budget, Decoded, Decoder } from './decoders/decoder.ts';
import { folded, foldedForms } from './decoders/folded.ts';
import { namesOfDecoders } from './decoders/index.ts';
import { wordOrder } from './decoders/reversals.ts';
import { fold } from './fold.ts';
import { displaced, inPlace } from './in-place.ts';

/** One way to read a text: as it stands, or after a chain of decoders that each found something in it. */
export interface Reading {
  readonly text: string;
  /** Names of the decoders applied, outermost first; empty for the text as it stands. */
  readonly via: readonly string[];
  /** 0..1: how surely hiding the text this way is an evasion, whatever the text says. */
  readonly suspicion: number;
  /**
   * Set when `text` is only an excerpt, the lines that folding changed: the whole folded text, and where the excerpt is
   * in it.
   */
  readonly cutFrom?: CutFrom;
}

export interface CutFrom {
  readonly whole: string;
  readonly excerpt: string;
  readonly cuts: readonly Cut[];
}

export interface Readings {
  /** The first reading is the text as it stands. */
  readonly readings: readonly Reading[];
  /**
   * There was more to read than the budget allows. The caller must refuse the text: the sender chose what was left
   * unread.
   */
  readonly exhausted: boolean;
}

/** Layers of encoding that are undone. */
const DEPTH = 3;
/** Shorter pieces mean nothing without the text around them, which the in-place reading includes. */
const LEAST_PIECE = 8;
/**
 * Searching is charged too, at one character per 32 searched: a text may trigger thirty decoders and contain nothing
 * for any of them.
 */
const WORK = 32;

/**
 * The budget for an input of `chars` characters.
 *
 * It is about five and a half times the input plus a constant, because harmless text such as a web page or a manual
 * with accents and icons is read unescaped, without its tags, folded, and in the forms between. Short texts get more
 * per character, since they nest deeper for their length. The part beyond a third of a megabyte, a size few pages
 * reach, gets less. Of the files that agents read, one in a thousand needs more and is refused. A sender who aims at
 * this budget can spend all of it, which takes thirty times as long as plain text does.
 *
 * The number of readings grows with the input because one body may hold thousands of passages, each with its own
 * escape.
 */
export function budgetFor(chars: number): Budget {
  const most = Math.min(12 * chars + 8192, Math.floor(5.6 * chars) + 49_152, Math.floor(3.3 * chars) + 655_360);
  return { chars: most, segments: 64 + Math.floor(chars / 64) };
}

const never = (): boolean => false;

/** Up to this many characters of a folded text are not charged. */
const MOST_FREE = 16_384;

interface Pending extends Reading {
  readonly depth: number;
  readonly isFold: boolean;
  /** For a folded text: what each decoder found in the text before it was folded. */
  readonly known: ReadonlyMap<Decoder, Pieces>;
  /** What each decoder found in this text. */
  readonly found: Map<Decoder, Pieces>;
}

const NOTHING_KNOWN: Pending['known'] = new Map();

/**
 * Lists the readings of a text, breadth first, so that the least hidden text is read first.
 *
 * From each text come:
 * - its folded forms, which do not count as a level of encoding, only as another look at the same text;
 * - the pieces each decoder found, by themselves;
 * - one in-place reading, in which every decoded piece replaces its encoding, so that a phrase of which one letter is
 *   encoded reads whole;
 * - where the pieces of a decoder that runs once stand where those of another do, an in-place reading of it alone;
 * - where there are escapes next to longer encodings, one more in-place reading with only the escapes undone, because
 *   they may have broken up the longer encodings.
 *
 * Callers that have already called `hintedBy` on this text pass the result as `hinted`. When `cancelled` returns true,
 * the result is marked as exhausted, so the caller has to check which of the two it was. Cancellation is checked before
 * whatever reads the whole text: each decoder does, and thirty of them take seconds on a long one.
 */
export function readings(
  text: string,
  shapes: Shapes,
  budget: Budget,
  hinted: readonly Decoder[] = hintedBy(text),
  cancelled: () => boolean = never,
): Readings {
  const first = neededBy(text, hinted, shapes);
  const queue: Pending[] = [
    { text, via: [], suspicion: 0, depth: 0, isFold: false, known: NOTHING_KNOWN, found: new Map() },
  ];
  if (first.length === 0) return { readings: queue, exhausted: false };
  const lines = withPlainEnds(text);
  const seen = new Set<string>([text, lines]);

  const add = (
    text: string,
    via: readonly string[],
    suspicion: number,
    depth: number,
    { known = NOTHING_KNOWN, isFold = false, cutFrom }: Partial<Pick<Pending, 'known' | 'isFold' | 'cutFrom'>> = {},
  ): void => {
    if (text.length === 0 || seen.has(text)) return;
    seen.add(text);
    // A folded text is scanned once more, but decoders ignore in it what they had already found before folding, so at
    // most half of its length is free. Charged in full, harmless 20-page manuals were refused because of their icons
    // and escapes. The free part is capped at MOST_FREE: megabytes are not free.
    budget.chars -= isFold ? text.length - Math.min(text.length >> 1, MOST_FREE) : text.length;
    if (!isFold) budget.segments -= 1;
    queue.push({ text, via, suspicion, depth, isFold, known, found: new Map(), ...(cutFrom && { cutFrom }) });
  };

  for (let next = 0; next < queue.length; next++) {
    const from = queue[next] as Pending;
    const found: [Decoder, readonly Decoded[]][] = [];
    const fresh = new Set<Decoded>();
    // Decoders see the whole folded text, not only the excerpt: an encoding may continue over any number of lines.
    const whole = next === 0 ? lines : (from.cutFrom?.whole ?? from.text);
    if (cancelled()) return { readings: queue, exhausted: true };
    for (const decoder of next === 0 ? first : neededBy(whole, hintedBy(whole), shapes)) {
      if (cancelled()) return { readings: queue, exhausted: true };
      if (decoder === folded) {
        if (from.isFold) continue;
        const known = [next === 0 ? lines : from.text];
        for (const form of foldedForms(known[0]!)) {
          const via = [...from.via, folded.name];
          const { text: excerpt, cuts } =
            from.cutFrom === undefined ? changedLines(form, known) : { text: form, cuts: [] };
          const cutFrom = excerpt === form ? from.cutFrom : { whole: form, excerpt, cuts };
          add(excerpt, via, from.suspicion, from.depth, {
            isFold: true,
            known: from.found,
            ...(cutFrom && { cutFrom }),
          });
          if (spent(budget)) return { readings: queue, exhausted: true };
          known.push(form);
        }
      } else if (from.depth < DEPTH && !isIdle(decoder, from.via)) {
        // Heap decoders run on every form of a text and are the fastest ones. Charged for searches that find nothing,
        // they would get manuals refused.
        if (decoder.heaps !== true) budget.chars -= Math.floor(whole.length / WORK);
        const pieces = decoder.decode(whole);
        if (cancelled()) return { readings: queue, exhausted: true };
        const unknown = unknownOf(from, whole, decoder, pieces);
        if (unknown.length > 0) found.push([decoder, pieces]);
        for (const piece of unknown) fresh.add(piece);
      }
      if (spent(budget)) return { readings: queue, exhausted: true };
    }
    if (found.length === 0) continue;
    const inline = found.filter(([decoder]) => decoder.inline);
    const others = found.filter(([decoder]) => !decoder.inline);
    const placed = found.filter(([decoder]) => !decoder.heaps);
    for (const around of [inline, placed.filter(([decoder]) => !decoder.inline)]) {
      if (around.length === 0) continue;
      if (cancelled()) return { readings: queue, exhausted: true };
      const together = around === inline ? inline : placed;
      const via = [...from.via, ...together.map(([decoder]) => decoder.name)];
      const suspicion = Math.max(from.suspicion, ...together.map(([decoder]) => decoder.suspicion));
      const all = together.flatMap(([, pieces]) => pieces);
      const news = new Set(around.flatMap(([, pieces]) => pieces.filter((piece) => fresh.has(piece))));
      add(inPlace(whole, all, news), via, suspicion, from.depth + 1);
    }
    // A decoder that runs once does not come back to what another one has taken from it. A single one displaces nothing.
    const left =
      inline.length < 2
        ? []
        : displaced(
            whole,
            inline.map(([, pieces]) => pieces),
          );
    for (const [i, lost] of left.entries()) {
      const [decoder, pieces] = inline[i]!;
      if (decoder.once !== true) continue;
      const news = new Set(lost.filter((piece) => fresh.has(piece)));
      if (news.size === 0) continue;
      if (cancelled()) return { readings: queue, exhausted: true };
      const via = [...from.via, decoder.name];
      add(inPlace(whole, pieces, news), via, Math.max(from.suspicion, decoder.suspicion), from.depth + 1);
      if (spent(budget)) return { readings: queue, exhausted: true };
    }
    for (const [decoder, pieces] of others) {
      const alone = pieces
        .filter((piece) => piece.text.length >= LEAST_PIECE && fresh.has(piece))
        .map(({ text }) => text);
      add(alone.join('\n'), [...from.via, decoder.name], Math.max(from.suspicion, decoder.suspicion), from.depth + 1);
      if (spent(budget)) return { readings: queue, exhausted: true };
    }
  }
  return { readings: queue, exhausted: false };
}

/**
 * Whether running the decoder again is pointless: it would only reverse its own result, or, for `wordOrder`, it would
 * put the rows of a heap into an arbitrary other order.
 */
function isIdle(decoder: Decoder, via: readonly string[]): boolean {
  if (decoder.once === true && via.includes(decoder.name)) return true;
  return decoder === wordOrder && isHeap(via);
}

const HEAPS = namesOfDecoders(({ heaps }) => heaps === true);

/**
 * Whether a reading was put together from many places. Such a heap has to be conclusive by itself; it adds nothing to
 * findings elsewhere.
 */
export function isHeap(via: Reading['via']): boolean {
  return via.some((name) => HEAPS.has(name));
}

/** Line ends as folding writes them. Otherwise every line of a page with `\r\n` would count as changed by folding. */
function withPlainEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/**
 * What a decoder found in a text. `keys` identify the pieces by their surroundings; they are computed only when needed.
 */
interface Pieces {
  readonly text: string;
  readonly pieces: readonly Decoded[];
  keys: readonly string[] | null;
}

/**
 * The pieces a decoder finds in a folded text and did not find before folding, such as an encoding that invisible
 * characters had broken up. The pieces it did find before were read already, folded as well. Two pieces are the same if
 * the same text is around them, and they are counted: a sender may repeat elsewhere, in plain sight, what is hidden
 * here.
 */
function unknownOf(
  { found, known }: Pending,
  text: string,
  decoder: Decoder,
  pieces: readonly Decoded[],
): readonly Decoded[] {
  if (pieces.length === 0) return pieces;
  const before = known.get(decoder);
  const mine: Pieces = { text, pieces, keys: null };
  found.set(decoder, mine);
  if (before === undefined) return pieces;
  const keys = keysOf(mine);
  const more = new Map<string, number>();
  for (const key of keys) more.set(key, (more.get(key) ?? 0) + 1);
  for (const key of keysOf(before)) more.set(key, (more.get(key) ?? 0) - 1);
  return pieces.filter((_, i) => more.get(keys[i]!)! > 0);
}

function keysOf(found: Pieces): readonly string[] {
  return (found.keys ??= found.pieces.map((piece) => keyOf(found.text, piece)));
}

/** Characters on either side of a piece: whatever decides if a piece can be decoded is in it or right beside it. */
const BESIDE = 32;

/**
 * The key of a piece: the text around it, what it decodes to, all of it folded. A long piece that was only cut out of
 * its text is read folded by itself, however long it is, so the text around both of its ends is enough to identify it.
 */
function keyOf(text: string, { text: plain, start, end }: Decoded): string {
  const from = Math.max(0, start - BESIDE);
  const isLong = end - start > LONG && text.slice(start, end).includes(plain);
  const key = isLong
    ? `${text.slice(from, start + BESIDE)}\0${text.slice(end - BESIDE, end + BESIDE)}`
    : `${text.slice(from, end + BESIDE)}\0${plain}`;
  return FOLDS_TO_ITSELF.test(key) ? key : fold(key);
}

/** Characters from which on a piece counts as long. */
const LONG = 1000;

const FOLDS_TO_ITSELF = /^[\0\t\n -~]*$/;

function spent(budget: Budget): boolean {
  return budget.chars < 0 || budget.segments < 0;
}
