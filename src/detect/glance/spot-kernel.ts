import { kernelOf, PAGE, STRIDE } from '../../kernels.ts';
import type { Memory, KernelGlobal } from '../../kernels.ts';
import type { Key } from '../patterns/keys.ts';
import { SMALLS } from './smalls.ts';
import type { Table } from './spotter-table.ts';

/** What kernel/spot.ts does, with names and types. Before `reading` it can only hash keys. */
export interface Kernel {
  /** Prefixes and suffixes have to be shorter than this. */
  readonly longest: number;
  readonly hashOf: (key: Key) => number;
  readonly reading: (tables: Tables) => Reading;
}

export interface Tables {
  readonly of: Readonly<Record<Key['kind'], Table>>;
  /** The first letters of all prefixes and the last of all suffixes, which are tried before any prefix or suffix is. */
  readonly begins: Table;
  readonly ends: Table;
  readonly prefixes: Lengths;
  readonly suffixes: Lengths;
}

interface Lengths {
  readonly least: number;
  readonly most: number;
}

export interface Reading {
  /** Characters that one call reads. */
  readonly block: number;
  /** To be called before the first block of a text. */
  readonly start: () => void;
  /** Reads a block and returns how many keys were spotted. Only the last block of a text may be short. */
  readonly spot: (units: Uint16Array, from: number, size: number, isLast: boolean) => number;
  /**
   * For each spotted key: its number, the offset in the block behind its last character, and the word of the text it
   * ends in.
   */
  readonly keys: Int32Array;
  readonly ends: Int32Array;
  readonly places: Int32Array;
  /**
   * Where each run of characters between words has its third one, counted from the start of the block, and how many of
   * them the last block had.
   */
  readonly thirds: Int32Array;
  readonly runs: () => number;
}

interface Exports extends Readonly<Record<(typeof PLACES)[number], KernelGlobal>> {
  readonly memory: Memory;
  readonly hashOf: (length: number) => number;
  readonly hashOfPair: (first: number, second: number) => number;
  readonly hashOfGram: (length: number) => number;
  readonly parts: (leastPrefix: number, mostPrefix: number, leastSuffix: number, mostSuffix: number) => void;
  readonly start: () => void;
  readonly spot: (size: number, isLast: number) => number;
  readonly runsOfBlock: () => number;
}

const PLACES = [
  'BLOCK',
  'LONGEST',
  'UNITS',
  'SMALLS',
  'KEYS',
  'ENDS',
  'PLACES',
  'THIRDS',
  'BITS',
  'TABLES',
  'SLOTS',
] as const;
/** In the order of the kernel's tables. */
const KINDS = ['word', 'prefix', 'suffix', 'pair', 'gram'] as const satisfies readonly Key['kind'][];

const make = kernelOf<Exports>('spot');

/** The hash of each key, by its index. */
export function hashesOf(keys: readonly Key[]): Int32Array {
  return Int32Array.from(keys, createKernel().hashOf);
}

export function createKernel(): Kernel {
  const kernel = make();
  const { memory, hashOf, hashOfPair, hashOfGram } = kernel;
  const at = (place: (typeof PLACES)[number]): number => kernel[place].value;
  const block = at('BLOCK');
  const longest = at('LONGEST');
  new Uint16Array(memory.buffer, at('SMALLS'), SMALLS.length).set(SMALLS);
  const unitsHere = (): Uint16Array => new Uint16Array(memory.buffer, at('UNITS'), block);
  let given = unitsHere();

  /**
   * Writes a word into the memory of the kernel. Of one that is longer than the kernel tells apart, it writes just
   * enough to show that.
   */
  function write(text: string): number {
    const length = Math.min(text.length, longest + 1);
    for (let i = 0; i < length; i += 1) given[i] = text.charCodeAt(i);
    given.fill(0, length, length + STRIDE);
    return length;
  }

  return {
    longest,
    hashOf({ kind, text }) {
      if (kind === 'gram') return hashOfGram(write(text));
      if (kind !== 'pair') return hashOf(write(text));
      const gap = text.indexOf(' ');
      const first = hashOf(write(text.slice(0, gap)));
      return hashOfPair(first, hashOf(write(text.slice(gap + 1))));
    },
    reading({ of, begins, ends, prefixes, suffixes }) {
      let end = at('SLOTS');
      for (const kind of KINDS) end += of[kind].slots().byteLength;
      memory.grow(Math.max(0, Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE));
      given = unitsHere();
      const column = (place: 'KEYS' | 'ENDS' | 'PLACES'): Int32Array =>
        new Int32Array(memory.buffer, at(place), (at('ENDS') - at('KEYS')) / 4);
      let next = at('BITS');
      for (const { bits } of [...KINDS.map((kind) => of[kind]), begins, ends]) {
        new Uint8Array(memory.buffer, next, bits.length).set(bits);
        next += bits.length;
      }
      next = at('SLOTS');
      const heads = new Int32Array(memory.buffer, at('TABLES'), 2 * KINDS.length);
      for (const [i, kind] of KINDS.entries()) {
        const slots = of[kind].slots();
        new Int32Array(memory.buffer, next, slots.length).set(slots);
        heads.set([next, slots.length / 2 - 1], 2 * i);
        next += slots.byteLength;
      }
      kernel.parts(prefixes.least, prefixes.most, suffixes.least, suffixes.most);
      const here = given;
      return {
        block,
        start: kernel.start,
        spot(units, from, size, isLast) {
          here.set(units.subarray(from, from + size));
          if (size < block) here.fill(0, size, Math.min(block, size + STRIDE));
          return kernel.spot(size, isLast ? 1 : 0);
        },
        keys: column('KEYS'),
        ends: column('ENDS'),
        places: column('PLACES'),
        thirds: new Int32Array(memory.buffer, at('THIRDS'), block / 4),
        runs: kernel.runsOfBlock,
      };
    },
  };
}
