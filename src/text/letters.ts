import { classOf, DROP, SPACE } from './fold-classes.ts';

/**
 * How many letters and digits stand before a place of a text: how far apart two places are for a reader, whom blanks, dashes,
 * what cannot be seen and the same letter a thousand times keep from nothing.
 */
export interface Letters {
  readonly count: number;
  readonly before: (at: number) => number;
}

/** Counted once for so many characters, and from there anew for each place: few are asked about. */
const STEP = 1024;

export function lettersIn(text: string): Letters {
  const isLetter = (LETTERS ??= letters());
  const countIn = (from: number, to: number): number => {
    let count = 0;
    for (let i = from; i < to; i += 1) {
      const unit = text.charCodeAt(i);
      if (isLetter[unit] === 1 && !(i > 1 && unit === text.charCodeAt(i - 1) && unit === text.charCodeAt(i - 2)))
        count += 1;
    }
    return count;
  };
  const upTo = new Uint32Array(Math.floor(text.length / STEP) + 1);
  for (let i = 1; i < upTo.length; i += 1) upTo[i] = upTo[i - 1]! + countIn((i - 1) * STEP, i * STEP);
  const before = (at: number): number => {
    const end = Math.min(Math.max(0, Math.floor(at)), text.length);
    const step = Math.floor(end / STEP);
    return upTo[step]! + countIn(step * STEP, end);
  };
  return { count: before(text.length), before };
}

/** 1 for each of the units of UTF-16 that is one by itself. Halves of others are not: letters in fancy dress count as nothing. */
let LETTERS: Uint8Array | null = null;

function letters(): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, unit) => {
    const kind = classOf(unit);
    return kind !== DROP && kind !== SPACE && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0;
  });
}
