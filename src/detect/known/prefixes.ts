import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { memoize } from '../../wire/memoize.ts';
import { createLately } from './lately.ts';

/**
 * Remembers something about how bytes begin, by keyed hashes. A body of n units is stored at the sums of the highest
 * bits of n: 88 units are 64 + 16 + 8, so they are stored at 64, 80 and 88. The search for the longest known beginning
 * tries the largest step first and halves it, so that a handful of hashes finds the place to a unit, even in a body as
 * long as a book. Refused: a hash for every unit, which costs starting it as many times.
 */
export interface Prefixes<Known> {
  /** What is known in one `context` says nothing in another. */
  readonly of: (context: string, bytes: Uint8Array) => Prefix<Known>;
}

export interface Prefix<Known> {
  /** What is known of the longest beginning of which anything is known. */
  readonly known: Known | null;
  /**
   * Remembers what is known of the first `length` bytes, in whole units, and of the places on the way there. `knownOf`
   * returns null where that is nothing.
   */
  readonly keep: (length: number, knownOf: (length: number) => Known | null) => void;
}

/** Bytes of a unit. */
const UNIT = 1024;
const MOST_UNITS = 1024;
/** Shorter beginnings are not kept: bodies that share no more than that have little in common. */
const LEAST_UNITS = 8;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;

/** A place, in units, and the hash of everything before it. */
interface Reached {
  readonly place: number;
  readonly hash: Buffer;
  /** The hash, as the name by which it is kept. */
  readonly name: string;
}

/** Keeps `capacity` places, and half of them at least for as many again. */
export function createPrefixes<Known>(capacity: number): Prefixes<Known> {
  const key = randomBytes(KEY_BYTES);
  const places = createLately<Known | null>(capacity);

  const beginningOf = memoize((context) => createHmac('sha256', key).update(context).digest());

  /**
   * GMAC, with the hash of what came before in place of the nonce. It is a universal hash: without the key, and without
   * ever seeing a hash, nobody can make two bodies that share one. Six times as fast as SHA-256 on many kilobytes at
   * once.
   */
  function hashOf(before: Buffer, bytes: Uint8Array, from: number, to: number): Buffer {
    const cipher = createCipheriv('aes-128-gcm', key, before.subarray(0, NONCE_BYTES));
    cipher.setAAD(bytes.subarray(from * UNIT, to * UNIT));
    cipher.final();
    return cipher.getAuthTag();
  }

  return {
    of(context, bytes) {
      const units = Math.floor(bytes.length / UNIT);
      const start: Reached = { place: 0, hash: beginningOf(context), name: '' };
      /** Each place is reached in one way only, so it is hashed once. */
      const hashed = new Map<number, Reached>();
      const reach = (from: Reached, place: number): Reached => {
        const before = hashed.get(place);
        if (before !== undefined) return before;
        const hash = hashOf(from.hash, bytes, from.place, place);
        const there: Reached = { place, hash, name: hash.toString('latin1') };
        hashed.set(place, there);
        return there;
      };
      let last = start;
      let known: Known | null = null;
      for (let step = MOST_UNITS; step >= 1; step /= 2) {
        const place = last.place + step;
        if (place > units) continue;
        if (place < LEAST_UNITS) break;
        const there = reach(last, place);
        const found = places.get(there.name);
        if (found === undefined) continue;
        known = found ?? known;
        last = there;
      }
      return {
        known,
        keep(length, knownOf) {
          const end = Math.floor(length / UNIT);
          if (end <= last.place || end < LEAST_UNITS) return;
          let at = start;
          for (let step = MOST_UNITS; step >= 1; step /= 2) {
            if ((end & step) === 0) continue;
            at = reach(at, at.place + step);
            if (places.get(at.name) === undefined) places.set(at.name, knownOf(at.place * UNIT));
          }
        },
      };
    },
  };
}
