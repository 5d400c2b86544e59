import { kernelOf, STRIDE } from '../kernels.ts';
import type { Memory, Told } from '../kernels.ts';
import { SORT, ACCENTED, LETTER } from './sorts.ts';
import { isAsciiLetter, isBlank, isDigit } from './units.ts';

/**
 * The words of a text, and which of them belong to a frame: the frame of rows that are alike but for a field or two is numbers and
 * the words that come back from row to row. It is kernel/framed.ts that looks; most texts say nothing that is worth
 * looking for their frame.
 */

export const BLANK = 0;
export const WORD = 1;
const DIGIT = 2;
/** What parts and joins the words of a sentence. */
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

/** Something stands in front of it that does not stand between two words of a sentence. */
export const CUT = 2;
export const OF_FRAME = 4;
/** A line ends in front of it. */
export const LINE = 8;

/** Of the words of one stretch, in the order of the text: places are counted from where the stretch begins. */
export interface FramedWords {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly flags: Uint8Array;
  /** What each weighs, if it is sought. */
  readonly weights: Uint8Array;
  /**
   * Finds those from a place on, and their frame if what is sought weighs so much together. Returns up to where there was room for
   * them.
   */
  readonly find: (units: Uint16Array, from: number, length: number, least: number) => number;
  /** How many there are, and what those that are sought weigh together. */
  readonly count: () => number;
  readonly weight: () => number;
}

interface Exports extends Readonly<Record<(typeof PLACES)[number], Told>> {
  readonly memory: Memory;
  readonly seek: (length: number, weight: number) => void;
  readonly read: (size: number, goesOn: boolean) => number;
  readonly frame: (size: number) => void;
  readonly words: Told;
  readonly weight: Told;
}

const PLACES = ['MOST', 'USUAL', 'CLASSES', 'UNITS', 'STARTS', 'ENDS', 'HASHES', 'FLAGS', 'WEIGHTS'] as const;

const make = kernelOf<Exports>('framed');

/** `sought`: what makes a field worth reading, and what each weighs. */
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
