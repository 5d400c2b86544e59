import { CODE, letterOnto, STEM } from './words.ts';

/**
 * Bytes as the numbers that stand for their words, a piece at a time. Apart from what is then done with a word, since every
 * word ends somewhere else: here no step depends on where, so that the processor has nothing to guess (170 MB/s of ordinary
 * text, 131 when words were weighed as they ended). Nothing is allocated but once.
 */
export interface Stems {
  /** Of each word of the piece. Written over by the next. */
  readonly of: Int32Array;
  /** The words in `bytes[from..to)`, which is at most PIECE bytes and what `pieceEnd` adds. */
  readonly read: (bytes: Uint8Array, from: number, to: number) => number;
}

/** So that the numbers of a piece stay close to the processor. No byte makes more than one word. */
const PIECE = 1024;

/** Where a piece ends: no word goes on behind it. However far that is, it is one word and needs no more room. */
export function pieceEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = Math.min(from + PIECE, to);
  while (end < to && CODE[bytes[end]!]! < 0) end += 1;
  return end;
}

/** What follows the last character of a stem is put behind the stems, where nobody reads it: that is cheaper than to ask. */
const BEYOND = 2 * PIECE;

export function createStems(): Stems {
  const stems = new Int32Array(BEYOND + PIECE + 1);

  function read(bytes: Uint8Array, from: number, end: number): number {
    // Constants are copied to locals, which the engine folds into the code; `| 0` keeps them whole numbers to it.
    const codes = CODE;
    const of = stems;
    const stem = STEM | 0;
    const beyond = BEYOND | 0;
    const to = end | 0;
    let hash = 0;
    let characters = 0;
    let words = 0;
    for (let at = from | 0; at < to; at = (at + 1) | 0) {
      const code = codes[bytes[at]!]!;
      // Masks: all ones when the byte may go on with a word, and when there is one to go on with.
      const goesOn = code >> 31;
      const isOpen = -characters >> 31;
      words = (words - (isOpen & ~goesOn)) | 0;
      characters = ((characters & goesOn) + ((code >>> 8) & 1)) | 0;
      hash = letterOnto(hash, code, goesOn & isOpen);
      of[words | (((stem - characters) >> 31) & beyond)] = hash;
    }
    return characters > 0 ? words + 1 : words;
  }
  return { of: stems, read };
}
