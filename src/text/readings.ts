import { hintedBy, neededBy } from './asked.ts';
import type { Shapes } from './asked.ts';
import { changedLines, type Cut } from './changed-lines.ts';
import type { Budget, Decoded, Decoder } from './decoders/decoder.ts';
import { folded } from './decoders/folded.ts';
import { DECODERS } from './decoders/index.ts';
import { wordOrder } from './decoders/reversals.ts';
import { fold } from './fold.ts';
import { inPlace } from './in-place.ts';

/** Every way one passage can be read: as it stands, and after each chain of decoders that finds something in it. */
export interface Reading {
  readonly text: string;
  /** Decoder names, outermost first; empty as it stands. */
  readonly via: readonly string[];
  /** 0..1: how surely hiding the text this way is an evasion, whatever the text says. */
  readonly suspicion: number;
  /** Where it is only what folding has changed: all that was folded, and where this stands in it. */
  readonly cutFrom?: CutFrom;
}

export interface CutFrom {
  readonly whole: string;
  readonly excerpt: string;
  readonly cuts: readonly Cut[];
}

export interface Readings {
  /** The first is the text as it stands. */
  readonly readings: readonly Reading[];
  /** There was more to read than the budget allows. The caller must refuse: what is missing here was chosen by the sender. */
  readonly exhausted: boolean;
}

const DEPTH = 3;
/** Shorter pieces say nothing without what stands around them, and the reading in place shows them there. */
const LEAST_PIECE = 8;
/** Searching is paid for as well, though little: a text may ask for thirty decoders and have nothing for any. */
const WORK = 32;

/**
 * Five and a half times the input and a little because honest text, a web page or a manual with accents and icons, is read
 * unescaped, without its tags, folded, and in the forms between; more for a short one, which nests deeper for its length, and
 * less for the part beyond a third of a megabyte, which few pages have. Of files that agents read one in a thousand needs more and is refused; a sender who
 * writes for it spends all there is, and that takes thirty times what plain text takes. A number of readings that grows with the
 * input because one body may hold thousands of passages, each with its own escape.
 */
export function budgetFor(chars: number): Budget {
  const most = Math.min(12 * chars + 8192, Math.floor(5.6 * chars) + 49_152, Math.floor(3.3 * chars) + 655_360);
  return { chars: most, segments: 64 + Math.floor(chars / 64) };
}

const never = (): boolean => false;

/** Of a folded text so many characters at most count as nothing. */
const MOST_FREE = 16_384;

interface Pending extends Reading {
  readonly depth: number;
  readonly isFold: boolean;
  /** What decoders found before it was folded of what can be found in it. */
  readonly known: ReadonlyMap<Decoder, Pieces>;
  /** What each decoder found in it. */
  readonly found: Map<Decoder, Pieces>;
}

const NOTHING_KNOWN: Pending['known'] = new Map();

/**
 * Breadth first, so that what is hidden least is read first. Per text: its folded forms (which are no level of
 * encoding, only another look), each decoder's pieces by themselves, and one reading in which every decoded piece
 * stands where its encoding stood, so that a phrase of which one letter is encoded reads whole. Where there are escapes
 * beside longer encodings, the escapes are undone once more without the others, which they may have broken up.
 * `hinted` is for a caller that has asked `hintedBy` about this very text already. Who cancels has to ask whether that is why
 * it ended: each decoder reads all of a text, and thirty of them are seconds of a long one.
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
    // Folded, a text is looked at once more and not asked again where the same characters stand. At its full length, honest
    // manuals of twenty pages were refused for their icons and their escapes; of megabytes nothing is given away.
    budget.chars -= isFold ? text.length - Math.min(text.length >> 1, MOST_FREE) : text.length;
    if (!isFold) budget.segments -= 1;
    queue.push({ text, via, suspicion, depth, isFold, known, found: new Map(), ...(cutFrom && { cutFrom }) });
  };

  for (let next = 0; next < queue.length; next++) {
    const from = queue[next] as Pending;
    const found: [Decoder, readonly Decoded[]][] = [];
    const fresh = new Set<Decoded>();
    // Of what was left out of a folded text, decoders are told: an encoding may go on over any number of lines.
    const whole = next === 0 ? lines : (from.cutFrom?.whole ?? from.text);
    for (const decoder of next === 0 ? first : neededBy(whole, hintedBy(whole), shapes)) {
      if (cancelled()) return { readings: queue, exhausted: true };
      if (decoder === folded) {
        if (from.isFold) continue;
        const known = [next === 0 ? lines : from.text];
        for (const { text: form } of folded.decode(known[0]!)) {
          const via = [...from.via, folded.name];
          const { text: excerpt, cuts } =
            from.cutFrom === undefined ? changedLines(form, known) : { text: form, cuts: [] };
          const cutFrom = excerpt === form ? from.cutFrom : { whole: form, excerpt, cuts };
          add(excerpt, via, from.suspicion, from.depth, {
            isFold: true,
            known: from.found,
            ...(cutFrom && { cutFrom }),
          });
          known.push(form);
        }
      } else if (from.depth < DEPTH && !isIdle(decoder, from.via)) {
        // Asked of each form of a text, and quicker than any other: manuals would be refused for what was looked at in vain.
        if (decoder.heaps !== true) budget.chars -= Math.floor(whole.length / WORK);
        const pieces = decoder.decode(whole);
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
      const together = around === inline ? inline : placed;
      const via = [...from.via, ...together.map(([decoder]) => decoder.name)];
      const suspicion = Math.max(from.suspicion, ...together.map(([decoder]) => decoder.suspicion));
      const all = together.flatMap(([, pieces]) => pieces);
      const news = new Set(around.flatMap(([, pieces]) => pieces.filter((piece) => fresh.has(piece))));
      add(inPlace(whole, all, news), via, suspicion, from.depth + 1);
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

/** What would only turn back what it turned; and of a list, any order of its rows that somebody likes. */
function isIdle(decoder: Decoder, via: readonly string[]): boolean {
  if (decoder.once === true && via.includes(decoder.name)) return true;
  return decoder === wordOrder && isHeap(via);
}

const HEAPS: ReadonlySet<string> = new Set(DECODERS.flatMap(({ name, heaps }) => (heaps === true ? [name] : [])));

/** What was put together of many places: it has to be enough by itself, and adds nothing to what stands elsewhere. */
export function isHeap(via: Reading['via']): boolean {
  return via.some((name) => HEAPS.has(name));
}

/** As folding has them: with others, every line of a page would be one that folding has changed. */
function withPlainEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** What a decoder found in a text, and what stood where, once somebody asks. */
interface Pieces {
  readonly text: string;
  readonly pieces: readonly Decoded[];
  keys: readonly string[] | null;
}

/**
 * What a decoder finds in a folded text and did not find before it was folded: an encoding that something invisible had broken up.
 * What it did find was read already, folded as well. It is the same if the same stands around it, as often: a sender may write
 * elsewhere once more, for all to see, what he has hidden here.
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

/** Characters on either side: what decides whether something can be decoded stands in it or right beside it. */
const BESIDE = 32;

/** What was only taken out of its text is read folded by itself, however long it is: of that, both of its ends tell. */
function keyOf(text: string, { text: plain, start, end }: Decoded): string {
  const from = Math.max(0, start - BESIDE);
  const isLong = end - start > LONG && text.slice(start, end).includes(plain);
  const key = isLong
    ? `${text.slice(from, start + BESIDE)}\0${text.slice(end - BESIDE, end + BESIDE)}`
    : `${text.slice(from, end + BESIDE)}\0${plain}`;
  return FOLDS_TO_ITSELF.test(key) ? key : fold(key);
}

const LONG = 1000;

const FOLDS_TO_ITSELF = /^[\0\t\n -~]*$/;

function spent(budget: Budget): boolean {
  return budget.chars < 0 || budget.segments < 0;
}
