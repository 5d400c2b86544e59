import { randomBytes } from 'node:crypto';
import { ROLES } from '../domain/passage.ts';
import type { Passage, Role } from '../domain/passage.ts';
import { unitsOf } from '../text/units.ts';
import { createFoundTexts, type Found, type Kept } from './found.ts';
import type { Seam } from './seams.ts';

/**
 * What was found clean lately, or with what in it. An agent sends its whole history with every turn, and all but the last of it
 * has been read: what has, and where it meets what it met before, is not read again. Nothing of a text is kept but a keyed hash
 * that nobody outside can compute, and which belongs to one ruleset: with the next one all is read anew.
 */
export interface KnownTexts {
  /** What of a body is not known. `as` says in which way it is read: an answer is not a question. */
  readonly sift: (passages: readonly Passage[], seams: readonly Seam[], as: number) => Sifted;
  /** The same memory, of which only what these say is asked: all else is read without being known or remembered. */
  readonly of: (roles: ReadonlySet<Role>) => KnownTexts;
}

export interface Sifted {
  readonly passages: readonly Passage[];
  readonly seams: readonly Seam[];
  /** What is known not to be clean, and what was found in it: that counts together with what comes next. */
  readonly found: readonly Found[];
  /** All passages and seams of the body, those that are known among them, as they are called here. */
  readonly owners: readonly (Passage | Seam)[];
  /** What was read, and what was found in each of it. */
  readonly remember: (foundIn: (owner: Passage | Seam) => readonly Kept[]) => void;
}

/** Two generations of so many: a thousand conversations, and half a megabyte for each thread. */
const CAPACITY = 32_768;
/** Each with what was found in it takes as much as thirty that are clean. */
const CLEAN_FOR_EACH_FOUND = 32;

export function createKnownTexts(capacity = CAPACITY): KnownTexts {
  const hash = createHash();
  const foundTexts = createFoundTexts(Math.ceil(capacity / CLEAN_FOR_EACH_FOUND));
  let young = createSet(capacity);
  let old = createSet(capacity);

  function has(high: number, low: number): boolean {
    if (young.has(high, low)) return true;
    if (!old.has(high, low)) return false;
    add(high, low);
    return true;
  }

  function add(high: number, low: number): void {
    if (young.add(high, low)) return;
    old = young;
    young = createSet(capacity);
    young.add(high, low);
  }

  const asking = (roles: ReadonlySet<Role> | null): KnownTexts => ({
    of: asking,
    sift(passages, seams, as) {
      const fresh: Passage[] = [];
      const found: Found[] = [];
      const joints = new Map<Seam, readonly [high: number, low: number]>();
      const marks = new Map<Passage, readonly [high: number, low: number]>();
      for (const passage of passages) {
        if (roles?.has(passage.role) === false) {
          fresh.push(passage);
          continue;
        }
        hash.begin(as * ROLES.length + ROLES.indexOf(passage.role));
        hash.text(passage.text);
        const mark = hash.end();
        marks.set(passage, mark);
        if (has(...mark)) continue;
        const kept = foundTexts.of(...mark);
        if (kept === undefined) fresh.push(passage);
        else found.push({ kept, passage, seam: null });
      }
      const isFresh = new Set(fresh);
      const met: Seam[] = [];
      const owners: (Passage | Seam)[] = [...passages];
      for (const seam of seams) {
        // Its parts are no longer read side by side where one of them is known.
        const apart = { ...seam, inOrder: seam.inOrder && seam.parts.every((part) => isFresh.has(part)) };
        if (seam.parts.every((part) => marks.has(part))) {
          hash.begin(~as);
          hash.word(seam.reach);
          for (const part of seam.parts) for (const half of marks.get(part)!) hash.word(half);
          const mark = hash.end();
          if (has(...mark)) continue;
          const kept = foundTexts.of(...mark);
          if (kept !== undefined) {
            found.push({ kept, passage: null, seam });
            owners.push(seam);
            continue;
          }
          joints.set(apart, mark);
        }
        met.push(apart);
        owners.push(apart);
      }
      return {
        passages: fresh,
        seams: met,
        found,
        owners,
        remember: (foundIn) => {
          const marked: (readonly [Passage | Seam, readonly [number, number]])[] = [...marks, ...joints];
          for (const [owner, mark] of marked) {
            if ('text' in owner && !isFresh.has(owner)) continue;
            const kept = foundIn(owner);
            if (kept.length === 0) add(...mark);
            else foundTexts.keep(...mark, kept);
          }
        },
      };
    },
  });
  return asking(null);
}

interface Hash {
  readonly begin: (first: number) => void;
  readonly word: (word: number) => void;
  readonly text: (text: string) => void;
  readonly end: () => readonly [high: number, low: number];
}

const PAIR = new Uint16Array(2);
/** Two zeroes change nothing but that they are a round. */
const LAST_ROUNDS = new Uint16Array(2 * 3);

/**
 * HalfSipHash-1-3: made to be safe where a sender chooses what is hashed and must not find two texts that hash alike, and
 * never sees what they hash to. Of the hashes of node:crypto, starting one costs as much as reading a message.
 */
function createHash(): Hash {
  const key = randomBytes(8);
  const first = key.readInt32LE(0);
  const second = key.readInt32LE(4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;

  /** All that changes is in variables of its own: three times as fast. */
  function mix(units: Uint16Array, length: number): void {
    // As numbers of 32 bits from the start: else the loop is made for any number, and takes twice as long.
    let e = a | 0;
    let f = b | 0;
    let g = c | 0;
    let h = d | 0;
    for (let i = 0; i + 1 < length; i += 2) {
      const two = units[i]! | (units[i + 1]! << 16);
      h ^= two;
      e = (e + f) | 0;
      f = ((f << 5) | (f >>> 27)) ^ e;
      e = (e << 16) | (e >>> 16);
      g = (g + h) | 0;
      h = ((h << 8) | (h >>> 24)) ^ g;
      e = (e + h) | 0;
      h = ((h << 7) | (h >>> 25)) ^ e;
      g = (g + f) | 0;
      f = ((f << 13) | (f >>> 19)) ^ g;
      g = (g << 16) | (g >>> 16);
      e ^= two;
    }
    a = e;
    b = f;
    c = g;
    d = h;
  }

  function word(word: number): void {
    PAIR[0] = word;
    PAIR[1] = word >>> 16;
    mix(PAIR, 2);
  }

  return {
    begin(start) {
      a = first;
      b = second ^ 0xee;
      c = 0x6c796765 ^ first;
      d = 0x74656462 ^ second;
      word(start);
    },
    word,
    text(text) {
      const units = unitsOf(text);
      const { length } = text;
      mix(units, length);
      if (length % 2 === 1) word(units[length - 1]!);
      word(length);
    },
    end() {
      c ^= 0xee;
      mix(LAST_ROUNDS, LAST_ROUNDS.length);
      const high = b ^ d;
      b ^= 0xdd;
      mix(LAST_ROUNDS, LAST_ROUNDS.length);
      return [high, b ^ d];
    },
  };
}

interface Pairs {
  readonly has: (high: number, low: number) => boolean;
  /** False when it is full. */
  readonly add: (high: number, low: number) => boolean;
}

/** Of pairs of numbers, none of them twice 0; in one array, of which half stays free. */
function createSet(capacity: number): Pairs {
  const slots = new Int32Array(4 * capacity);
  const mask = 2 * capacity - 1;
  let size = 0;
  const slotOf = (high: number, low: number): number => {
    let at = high & mask;
    while ((slots[2 * at] !== 0 || slots[2 * at + 1] !== 0) && (slots[2 * at] !== high || slots[2 * at + 1] !== low))
      at = (at + 1) & mask;
    return 2 * at;
  };
  const holds = (slot: number, high: number, low: number): boolean =>
    slots[slot] === high && slots[slot + 1] === low && (high !== 0 || low !== 0);
  return {
    has: (high, low) => holds(slotOf(high, low), high, low),
    add(high, low) {
      const slot = slotOf(high, low);
      if (holds(slot, high, low)) return true;
      if (size === capacity) return false;
      size += 1;
      slots[slot] = high;
      slots[slot + 1] = low;
      return true;
    },
  };
}
