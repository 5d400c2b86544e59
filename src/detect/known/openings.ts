import type { ScanJob } from '../../domain/job.ts';
import type { Passage } from '../../domain/passage.ts';
import { MAX_PASSAGES, SMALL_STRINGS } from '../../wire/passages.ts';
import type { Turn, Turns } from '../../wire/turns.ts';
import { createPrefixes } from './prefixes.ts';
import { isSaid, TURN_REACH, weightOf } from '../seams.ts';

/**
 * Remembers how bodies begin that were read lately. An agent's body begins with the bytes of the one before, so that
 * its history need not even be taken out of the JSON again to be known. Turns that were clean are left out of a body
 * that begins alike, and the rest is read as if it had been sent that way. A turn is only left out if it has nothing to
 * do with what may follow: the last turns of each role stay, since the next turn of that role continues them. Nothing
 * is remembered of a body in which anything was found, however weak.
 *
 * If anything is found in the rest, the caller has to read the whole body. Of the bytes, only keyed hashes are kept.
 */
export interface Openings {
  /** Null where it would not pay, or where the caller wants more than to know whether the body is clean. */
  readonly of: (job: ScanJob) => Opening | null;
}

export interface Opening {
  /** The body without the turns that are known to be clean; null when there are none. */
  readonly rest: Uint8Array | null;
  /** Whether the body would have been read as the rest was, so that the verdict on the rest holds for all of it. */
  readonly speaks: (turns: Turns) => boolean;
  /** To be called when what was read, the body or its rest, was clean. */
  readonly remember: (turns: Turns, passages: readonly Passage[]) => void;
}

/**
 * Byte ranges of the body, each from behind a turn to behind a later one of the same array. In order, none touching the
 * next.
 */
type Spans = readonly (readonly [from: number, to: number])[];

interface LeftOut {
  readonly spans: Spans;
  /** How many passages stand in them. */
  readonly passages: number;
}

const NONE: LeftOut = { spans: [], passages: 0 };
const LEAST_BYTES = 16_384;
/** Larger bodies have limits of their own (strings, time), towards which all their turns have to count. */
const MOST_BYTES = 1_048_576;
/** Entries in each of two generations. A turn of a conversation adds two or three. All of them take some megabytes. */
const CAPACITY = 16_384;
/**
 * A conversation has a few spans. A sender may separate turns by what has to stay, and have a list of thousands kept
 * for every body.
 */
const MOST_SPANS = 64;

export function createOpenings(capacity = CAPACITY): Openings {
  const prefixes = createPrefixes<LeftOut>(capacity);
  return {
    of(job) {
      const { bytes } = job;
      if (!isPlain(job) || bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) return null;
      const prefix = prefixes.of([job.wire, job.path, job.contentType, job.sensitive].join('\n'), bytes);
      const { spans, passages: known } = prefix.known ?? NONE;
      // From that many passages on, strings are joined that otherwise stand apart. And in a document that others may
      // parse in another way, what the application or the model seems to have said may be somebody else's text.
      const speaks = (turns: Turns): boolean => turns.isWellFormed && turns.passages + known < MAX_PASSAGES;
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
          // Kept for what the next body will repeat: mostly all of it. Where the last turns come again in another form,
          // as those with a time or a cache marker do, it repeats everything but these.
          prefix.keep(gone, leftOutOf);
          prefix.keep(end, leftOutOf);
        },
      };
    },
  };
}

const BRACE = 0x7b;

/** Whether the body is JSON in UTF-8, is read once and in one way, and only matters for what is found in it. */
function isPlain({
  bytes,
  contentType,
  contentEncoding,
  direction,
  maskedSignatures,
  collectSecrets,
  forbidden,
}: ScanJob): boolean {
  return (
    direction === 'request' &&
    bytes[0] === BRACE &&
    bytes[1] !== 0 &&
    contentEncoding === '' &&
    /^application\/json(?:;\s?charset=utf-8)?$/i.test(contentType) &&
    maskedSignatures === undefined &&
    collectSecrets !== true &&
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

/**
 * The bytes of the body where each turn stands. Empty where the text is not what the bytes say, as with invalid UTF-8.
 */
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

/**
 * The turns that may go, up to byte `end`. A span also holds the comma before the turn, and what was left out there
 * before.
 */
function leftOut(places: readonly Place[], end: number, { list }: Turns, passages: readonly Passage[]): LeftOut {
  const ended = places.findIndex(({ to }) => to > end);
  const turns = list.slice(0, ended === -1 ? list.length : ended);
  const stay = new Set<Turn>();
  const held = new Map<Turn, number>();
  const saidBy = new Map<string, { readonly turn: Turn; readonly weight: number }[]>();
  /**
   * The last two turns with small strings, for each role. Small strings of a message become a passage when the next
   * ones of the same author come, so that what comes next follows those before.
   */
  const lastSmall = new Map<string, readonly [before: Turn, last: Turn]>();
  for (const passage of passages) {
    const turn = turnOf(passage, turns);
    if (turn === undefined) continue;
    const { role } = passage;
    held.set(turn, (held.get(turn) ?? 0) + 1);
    if (isSaid(passage)) {
      const said = saidBy.get(role);
      const here = { turn, weight: weightOf(passage) };
      if (said === undefined) saidBy.set(role, [here]);
      else said.push(here);
    }
    if (passage.where !== SMALL_STRINGS) continue;
    if (lastSmall.get(role)?.[1] !== turn) lastSmall.set(role, [lastSmall.get(role)?.[1] ?? turn, turn]);
  }
  for (const said of saidBy.values()) for (const turn of withinReach(said)) stay.add(turn);
  for (const turn of [...lastSmall.values()].flat()) stay.add(turn);
  const spans: (readonly [number, number])[] = [];
  let gone = 0;
  for (const [i, turn] of turns.entries()) {
    const before = turns[i - 1];
    // A turn that is the first of its array, or has anything else before it, cannot go without leaving a trace.
    if (before === undefined || before.array !== turn.array || before.index + 1 !== turn.index) continue;
    if (!turn.isSeparate || stay.has(turn)) continue;
    spans.push([places[i - 1]!.to, places[i]!.to]);
    gone += held.get(turn) ?? 0;
  }
  return { spans, passages: gone };
}

/** The last turns of an author, which would be read together with the author's next one: measured as seams.ts does. */
function withinReach(said: readonly { readonly turn: Turn; readonly weight: number }[]): Turn[] {
  const near: Turn[] = [];
  let weight = 0;
  for (let i = said.length - 1; i >= 0 && weight < TURN_REACH; i -= 1) {
    near.push(said[i]!.turn);
    weight += said[i]!.weight;
  }
  return near;
}

/** A binary search: the turns are in order, and so are the numbers of their messages. */
function turnOf({ message }: Passage, turns: readonly Turn[]): Turn | undefined {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.lastMessage < message) low = middle + 1;
    else high = middle;
  }
  const turn = turns[low];
  return turn !== undefined && turn.messagesBefore < message ? turn : undefined;
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
