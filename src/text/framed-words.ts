import { kernelOf, STRIDE } from '../kernels.ts';
import type { Memory, KernelGlobal } from '../kernels.ts';
import { SORT, ACCENTED, LETTER } from './sorts.ts';
import { isAsciiLetter, isBlank, isDigit } from './units.ts';

/**
 * Finds the words of a text, and which of them belong to a frame. The frame of rows that are alike but for a field or
 * two consists of the numbers and of the words that come back from row to row. The loops are in kernel/framed.ts. Most
 * texts have too few sought words for their frame to be computed.
 */

export const BLANK = 0;
export const WORD = 1;
const DIGIT = 2;
/** Punctuation that separates or joins the words of a sentence. */
const POINT = 4;
const SIGN = 8;

export const CLASS = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(65_536).fill(SIGN);
  for (let unit = 0; unit < table.length; unit++) {
    const isLetter =
      unit < 0x80 ? isAsciiLetter(unit) || unit === 0x5f : SORT[unit] === LETTER || SORT[unit] === ACCENTED;
    if (isLetter) table[unit] = WORD;
    else if (isDigit(unit)) table[unit] = DIGIT;
    else if (isBlank(unit)) table[unit] = BLANK;
  }
  for (const point of ".,;!?'-\u2019") table[point.charCodeAt(0)] = POINT;
  return table;
}

/** Flag of a word: something comes before it that does not occur between two words of a sentence. */
export const CUT = 2;
/** Flag of a word: it belongs to the frame. */
export const OF_FRAME = 4;
/** Flag of a word: a line ends before it. */
export const LINE = 8;

/** The words of one stretch in order, as parallel arrays. Positions are relative to the start of the stretch. */
export interface FramedWords {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly flags: Uint8Array;
  /** The weight of each word; 0 if it is not sought. */
  readonly weights: Uint8Array;
  /**
   * Finds the words from `from` on, and their frame if the sought words weigh at least `least` together. Returns where
   * the stretch ended: at the end of the text, or where the buffers were full.
   */
  readonly find: (units: Uint16Array, from: number, length: number, least: number) => number;
  /** The number of words, and the total weight of the sought ones. */
  readonly count: () => number;
  readonly weight: () => number;
}

interface Exports extends Readonly<Record<(typeof PLACES)[number], KernelGlobal>> {
  readonly memory: Memory;
  readonly seek: (length: number, weight: number) => void;
  readonly read: (size: number, goesOn: boolean) => number;
  readonly frame: (size: number) => void;
  readonly words: KernelGlobal;
  readonly weight: KernelGlobal;
}

const PLACES = ['MOST', 'USUAL', 'CLASSES', 'UNITS', 'STARTS', 'ENDS', 'HASHES', 'FLAGS', 'WEIGHTS'] as const;

const make = kernelOf<Exports>('framed');

/** `sought`: the words that make a field worth reading, each with its weight. */
export function createFramedWords(sought: ReadonlyMap<string, number>): FramedWords {
  const kernel = make();
  const { buffer } = kernel.memory;
  const at = (place: (typeof PLACES)[number]): number => kernel[place].value;
  const [most, usual] = [at('MOST'), at('USUAL')];
  new Uint8Array(buffer, at('CLASSES'), CLASS.length).set(CLASS);
  const here = new Uint16Array(buffer, at('UNITS'), usual + STRIDE);
  for (const [word, weight] of sought) {
    for (let i = 0; i < word.length; i++) here[i] = word.charCodeAt(i);
    kernel.seek(word.length, weight);
  }
  return {
    starts: new Int32Array(buffer, at('STARTS'), most),
    ends: new Int32Array(buffer, at('ENDS'), most),
    hashes: new Int32Array(buffer, at('HASHES'), most),
    flags: new Uint8Array(buffer, at('FLAGS'), most),
    weights: new Uint8Array(buffer, at('WEIGHTS'), most),
    find(units, from, length, least) {
      const size = Math.min(length - from, usual);
      here.set(units.subarray(from, from + size));
      here.fill(0, size, size + STRIDE);
      const end = from + kernel.read(size, from + size < length);
      if (kernel.weight.value >= least) kernel.frame(size);
      return end;
    },
    count: () => kernel.words.value,
    weight: () => kernel.weight.value,
  };
}
