import type { ScanJob } from '../domain/job.ts';
import type { Passage } from '../domain/passage.ts';
import { MAX_PASSAGES, SMALL } from '../wire/passages.ts';
import type { Turn, Turns } from '../wire/turns.ts';
import { createPrefixes } from './prefixes.ts';
import { TURN_REACH } from './seams.ts';

/**
 * How bodies begin that were read lately. An agent's body begins with the bytes of the one before, so its history need not
 * even be taken out of the JSON again to be known: the turns that were clean are left out of a body that begins alike, and the
 * rest is read as if it had been sent so. Left out is only what has nothing to do with what may follow. The last turns of each
 * role stay, since the next of that role continues them. Of a body in which anything was found, however little, nothing is
 * remembered here.
 *
 * Whoever finds anything in the rest has to read the body. Of the bytes nothing is kept but keyed hashes.
 */
export interface Openings {
  /** Null where it would not pay, or where more is asked for than whether the body is clean. */
  readonly of: (job: ScanJob) => Opening | null;
}

export interface Opening {
  /** The body without the turns that are known to be clean. Null: none of them are. */
  readonly rest: Uint8Array | null;
  /** Whether the body would have been read as the rest was, which then speaks for all of it. */
  readonly speaks: (turns: Turns) => boolean;
  /** What was read, the body or the rest of it, was clean. */
  readonly remember: (turns: Turns, passages: readonly Passage[]) => void;
}

/** In bytes of the body: from behind a turn to behind a later one of the same array. In order, none touching the next. */
type Spans = readonly (readonly [from: number, to: number])[];

interface LeftOut {
  readonly spans: Spans;
  /** Passages that stand in there. */
  readonly passages: number;
}

const NONE: LeftOut = { spans: [], passages: 0 };
const LEAST_BYTES = 16_384;
/** Larger ones have bounds of their own (strings, time) that their turns count towards. */
const MOST_BYTES = 1_048_576;
/** A turn of a conversation adds two or three, and all of them take some megabytes. */
const CAPACITY = 16_384;
/** A conversation leaves a few. A sender may part turns by what has to stay, and have a list of thousands kept for every body. */
const MOST_SPANS = 64;

export function createOpenings(capacity = CAPACITY): Openings {
  const prefixes = createPrefixes<LeftOut>(capacity);
  return {
    of(job) {
      const { bytes } = job;
      if (!isPlain(job) || bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) return null;
      const prefix = prefixes.of([job.wire, job.path, job.contentType, job.sensitive].join('\n'), bytes);
      const { spans, passages: known } = prefix.known ?? NONE;
      // Past so many passages strings are put together that else stand apart. And whoever reads another document than we do
      // may take for his own what the application or the model said in it.
      const speaks = (turns: Turns): boolean => turns.sound && turns.passages + known < MAX_PASSAGES;
      return {
        rest: prefix.known === null ? null : without(bytes, spans),
        speaks,
        remember(turns, passages) {
          if (!speaks(turns)) return;
          const places = bytesOf(turns, bytes.length - lengthOf(spans), spans);
          const leftOutOf = (length: number): LeftOut | null => {
            const more = leftOut(places, length, turns, passages);
            const all = merged([...spans, ...more.spans]);
            return all.length === 0 || all.length > MOST_SPANS ? null : { spans: all, passages: known + more.passages };
          };
          const end = places.at(-1)?.to ?? 0;
          const gone = leftOutOf(end)?.spans.at(-1)?.[1];
          if (gone === undefined) return;
          // As far as the next body will be the same: mostly all of it, and all but the last turns where they come again in
          // another form, as those with a time or a mark of caching in them do.
          prefix.keep(gone, leftOutOf);
          prefix.keep(end, leftOutOf);
        },
      };
    },
  };
}

const BRACE = 0x7b;

/** JSON in UTF-8, read once and in one way, of which nothing is asked but what is found in it. */
function isPlain({ bytes, contentType, contentEncoding, direction, mask, collect, forbidden }: ScanJob): boolean {
  return (
    direction === 'request' &&
    bytes[0] === BRACE &&
    bytes[1] !== 0 &&
    contentEncoding === '' &&
    /^application\/json(?:;\s?charset=utf-8)?$/i.test(contentType) &&
    mask === undefined &&
    collect !== true &&
    (forbidden ?? null) === null
  );
}

function without(bytes: Uint8Array, spans: Spans): Uint8Array {
  const rest = new Uint8Array(bytes.length - lengthOf(spans));
  let at = 0;
  let from = 0;
  for (const [start, end] of [...spans, [bytes.length, bytes.length] as const]) {
    rest.set(bytes.subarray(from, start), at);
    at += start - from;
    from = end;
  }
  return rest;
}

function lengthOf(spans: Spans): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Of each turn that was read, where it stands in the body. Empty where the text is not what the bytes say. */
function bytesOf({ text, list }: Turns, length: number, spans: Spans): readonly Place[] {
  let char = 0;
  let byte = 0;
  const isAscii = text.length === length;
  const to = (next: number): number => {
    byte = isAscii ? next : byte + Buffer.byteLength(text.slice(char, next));
    char = next;
    return byte;
  };
  const places = list.map((turn) => ({ from: to(turn.from), to: to(turn.to) }));
  if (to(text.length) !== length) return [];
  const inBody = (at: number): number => spans.reduce((sum, [from, end]) => (sum > from ? sum + end - from : sum), at);
  return places.map((place) => ({ from: inBody(place.from), to: inBody(place.to) }));
}

/** Behind each turn that may go, as far as `end`; with it goes the comma before it, and what was left out there before. */
function leftOut(places: readonly Place[], end: number, { list }: Turns, passages: readonly Passage[]): LeftOut {
  const ended = places.findIndex(({ to }) => to > end);
  const turns = list.slice(0, ended === -1 ? list.length : ended);
  const stay = new Set<Turn>();
  const held = new Map<Turn, number>();
  const saidBy = new Map<string, { readonly turn: Turn; readonly length: number }[]>();
  /** Small strings of a message are handed over when the next of their author come: what comes then follows those before. */
  const lastSmall = new Map<string, readonly [before: Turn, last: Turn]>();
  for (const passage of passages) {
    const turn = turnOf(passage, turns);
    if (turn === undefined) continue;
    const { role } = passage;
    held.set(turn, (held.get(turn) ?? 0) + 1);
    const said = saidBy.get(role);
    if (said === undefined) saidBy.set(role, [{ turn, length: passage.text.length }]);
    else said.push({ turn, length: passage.text.length });
    if (passage.where !== SMALL) continue;
    if (lastSmall.get(role)?.[1] !== turn) lastSmall.set(role, [lastSmall.get(role)?.[1] ?? turn, turn]);
  }
  for (const said of saidBy.values()) for (const turn of withinReach(said)) stay.add(turn);
  for (const turn of [...lastSmall.values()].flat()) stay.add(turn);
  const spans: (readonly [number, number])[] = [];
  let gone = 0;
  for (const [i, turn] of turns.entries()) {
    const before = turns[i - 1];
    // With anything else between them, or as the first of its array, it cannot go without leaving a mark.
    if (before === undefined || before.array !== turn.array || before.index + 1 !== turn.index) continue;
    if (!turn.alone || stay.has(turn)) continue;
    spans.push([places[i - 1]!.to, places[i]!.to]);
    gone += held.get(turn) ?? 0;
  }
  return { spans, passages: gone };
}

/** Those that a next turn of their author would be read together with. */
function withinReach(said: readonly { readonly turn: Turn; readonly length: number }[]): Turn[] {
  const near: Turn[] = [];
  let length = 0;
  for (let i = said.length - 1; i >= 0 && length < TURN_REACH; i -= 1) {
    near.push(said[i]!.turn);
    length += said[i]!.length;
  }
  return near;
}

/** The turns are in order, and so are their numbers. */
function turnOf({ message }: Passage, turns: readonly Turn[]): Turn | undefined {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.last < message) low = middle + 1;
    else high = middle;
  }
  const turn = turns[low];
  return turn !== undefined && turn.before < message ? turn : undefined;
}

function merged(spans: readonly (readonly [number, number])[]): Spans {
  const all: [number, number][] = [];
  for (const [from, to] of spans.toSorted((one, other) => one[0] - other[0])) {
    const before = all.at(-1);
    if (before !== undefined && from <= before[1]) before[1] = Math.max(before[1], to);
    else all.push([from, to]);
  }
  return all;
}
