import { createHash, randomBytes } from 'node:crypto';
import type { ScanJob } from '../domain/job.ts';
import type { Passage } from '../domain/passage.ts';
import { MAX_PASSAGES, SMALL } from '../wire/passages.ts';
import type { Turn, Turns } from '../wire/turns.ts';
import type { Suspects } from './clean.ts';

/**
 * How bodies begin that were read lately. An agent's body begins with the bytes of the one before, so its history need not
 * even be taken out of the JSON again to be known: the turns that were clean are left out of a body that begins alike, and the
 * rest is read as if it had been sent so. Left out is only what has nothing to do with what may follow. The last turn of each
 * role stays, since the next of that role continues it; so does each in which something was found, however little.
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
  /** What was read, the body or the rest of it, was clean, but for the suspects. */
  readonly remember: (turns: Turns, passages: readonly Passage[], suspects: Suspects) => void;
}

/** In bytes of the body: from behind a turn to behind a later one of the same array. In order, none touching the next. */
type Spans = readonly (readonly [from: number, to: number])[];

interface LeftOut {
  readonly spans: Spans;
  /** Passages that stand in there. */
  readonly passages: number;
}

/** So much is compared at once. What stands behind the last whole block is read again. */
const BLOCK = 8192;
const LEAST_BYTES = 2 * BLOCK;
/** Larger ones have bounds of their own (strings, time) that their turns count towards. */
const MOST_BYTES = 1_048_576;
/** Two generations of so many blocks: a gigabyte of histories would not fill them, and they take a few megabytes. */
const CAPACITY = 8192;
/** A conversation leaves a few. A sender may part turns by what has to stay, and have a list of thousands kept for every body. */
const MOST_SPANS = 64;
const NONE: LeftOut = { spans: [], passages: 0 };

export function createOpenings(capacity = CAPACITY): Openings {
  const key = randomBytes(32).toString('hex');
  /** By the hash of all bytes up to the end of a block: what may be left out of them. */
  let young = new Map<string, LeftOut>();
  let old = new Map<string, LeftOut>();

  function get(hash: string): LeftOut | undefined {
    const leftOut = young.get(hash) ?? old.get(hash);
    if (leftOut !== undefined) put(hash, leftOut);
    return leftOut;
  }

  function put(hash: string, leftOut: LeftOut): void {
    if (young.size >= capacity && !young.has(hash)) {
      old = young;
      young = new Map();
    }
    young.set(hash, leftOut);
  }

  return {
    of(job) {
      const { bytes } = job;
      if (!isPlain(job) || bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) return null;
      let hash = [key, job.wire, job.path, job.contentType, job.sensitive].join('\n');
      const hashes: string[] = [];
      const next = (): string => {
        const from = hashes.length * BLOCK;
        hash = createHash('sha256')
          .update(hash, 'binary')
          .update(bytes.subarray(from, from + BLOCK))
          .digest('binary');
        hashes.push(hash);
        return hash;
      };
      let known = 0;
      let before = NONE;
      while ((hashes.length + 1) * BLOCK <= bytes.length) {
        const found = get(next());
        if (found === undefined) break;
        if (found === NONE) continue;
        known = hashes.length;
        before = found;
      }
      const { spans } = before;
      // Past so many passages strings are put together that else stand apart. And whoever reads another document than we do
      // may take for his own what the application or the model said in it.
      const speaks = (turns: Turns): boolean => turns.sound && turns.passages + before.passages < MAX_PASSAGES;
      return {
        rest: before === NONE ? null : without(bytes, spans),
        speaks,
        remember(turns, passages, suspects) {
          if (suspects.seams || !speaks(turns)) return;
          const read = bytes.length - lengthOf(spans);
          const inBytes = bytesOf(turns, read, spans);
          const blocks = Math.floor((inBytes.at(-1)?.to ?? 0) / BLOCK);
          if (blocks <= known) return;
          const more = leftOut(inBytes, blocks * BLOCK, turns, passages, suspects);
          const all = merged([...spans, ...more.spans]);
          if (all.length === 0 || all.length > MOST_SPANS) return;
          while (hashes.length < blocks) next();
          for (let i = known; i < blocks - 1; i += 1) if (get(hashes[i]!) === undefined) put(hashes[i]!, NONE);
          put(hashes[blocks - 1]!, { spans: all, passages: before.passages + more.passages });
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
function leftOut(
  places: readonly Place[],
  end: number,
  { list }: Turns,
  passages: readonly Passage[],
  suspects: Suspects,
): LeftOut {
  const ended = places.findIndex(({ to }) => to > end);
  const turns = list.slice(0, ended === -1 ? list.length : ended);
  const stay = new Set<Turn>();
  const held = new Map<Turn, number>();
  const last = new Map<string, Turn>();
  /** Small strings of a message are handed over when the next of their author come: what comes then follows those before. */
  const lastSmall = new Map<string, readonly [before: Turn, last: Turn]>();
  for (const passage of passages) {
    const turn = turnOf(passage, turns);
    if (turn === undefined) continue;
    const { role } = passage;
    held.set(turn, (held.get(turn) ?? 0) + 1);
    if (suspects.passages.has(passage)) stay.add(turn);
    if (passage.where !== SMALL) last.set(role, turn);
    else if (lastSmall.get(role)?.[1] !== turn) lastSmall.set(role, [lastSmall.get(role)?.[1] ?? turn, turn]);
  }
  for (const turn of [...last.values(), ...[...lastSmall.values()].flat()]) stay.add(turn);
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
