import { randomBytes } from 'node:crypto';
import { ROLES } from '../../domain/passage.ts';
import type { Passage, Role } from '../../domain/passage.ts';
import { unitsOf } from '../../text/units.ts';
import { createFoundTexts, type Found, type Kept } from '../found.ts';
import type { Seam } from '../seams.ts';

/**
 * Remembers texts that were read lately: that they were clean, or what was found in them. An agent sends its whole
 * history with every turn, and all but the end of it has been read before. Known passages are not read again, and
 * neither are the seams between them. Only a keyed hash of each text is kept, which nobody outside can compute. The
 * memory belongs to one ruleset: with the next one, everything is read anew.
 */
export interface KnownTexts {
  /**
   * The part of a body that is not known. `as` says in which way the body is read: a clean answer need not be a clean
   * request.
   */
  readonly sift: (passages: readonly Passage[], seams: readonly Seam[], as: number) => Sifted;
  /**
   * The same memory, used only for passages of these roles: all others are read, and neither looked up nor remembered.
   */
  readonly of: (roles: ReadonlySet<Role>) => KnownTexts;
}

export interface Sifted {
  readonly passages: readonly Passage[];
  readonly seams: readonly Seam[];
  /**
   * Known texts that are not clean, with what was found in them: it counts together with what is found in the new text.
   */
  readonly found: readonly Found[];
  /**
   * The passages and seams that may have findings, known ones included. Seams may be copies of those that were passed
   * in.
   */
  readonly owners: readonly (Passage | Seam)[];
  /** To be called when the body was read. `foundIn` returns what was found in a passage or seam. */
  readonly remember: (foundIn: (owner: Passage | Seam) => readonly Kept[]) => void;
}

/** Texts in each of two generations: a thousand conversations, and half a megabyte per generation and thread. */
const CAPACITY = 32_768;
/** A text with findings takes as much memory as thirty clean ones, so this many times fewer of them are kept. */
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
        // Known parts are not read again, so that the parts of the seam no longer stand side by side in what is read.
        const apart = { ...seam, inOrder: seam.inOrder && seam.parts.every((part) => isFresh.has(part)) };
        if (seam.parts.every((part) => marks.has(part))) {
          hash.begin(~as);
          hash.word(seam.reach);
          for (const part of seam.parts) for (const half of marks.get(part)!) hash.word(half);
          const mark = hash.end();
          // It is not read again, but whether a text may be spared is asked of all that it is read together with.
          if (has(...mark)) {
            owners.push(seam);
            continue;
          }
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
/** Zeros change nothing, except that each pair of them is a round: three rounds. */
const LAST_ROUNDS = new Uint16Array(2 * 3);

/**
 * HalfSipHash-1-3. It is made for text that a sender chooses: without the key, and without ever seeing a hash, nobody
 * can find two texts with the same one. Refused: the hashes of node:crypto, of which starting one costs as much as
 * reading a message.
 */
function createHash(): Hash {
  const key = randomBytes(8);
  const first = key.readInt32LE(0);
  const second = key.readInt32LE(4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;

  /** The state is copied to local variables for the loop: three times as fast. */
  function mix(units: Uint16Array, length: number): void {
    // 32-bit integers from the start. Otherwise the loop is compiled for any number, and takes twice as long.
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
  /** False when the set is full. */
  readonly add: (high: number, low: number) => boolean;
}

/**
 * A set of pairs of numbers, in one array of which at least half stays free. The pair (0, 0) means a free slot and is
 * never in it.
 */
function createSet(capacity: number): Pairs {
  // A power of two, so that a mask leads to each of them.
  const count = 2 ** Math.ceil(Math.log2(2 * capacity));
  const slots = new Int32Array(2 * count);
  const mask = count - 1;
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
