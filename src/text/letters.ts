import { classOf, DROP, SPACE } from './fold-classes.ts';

/**
 * Counts the letters and digits before a position. The difference of two counts is the distance a reader perceives:
 * blanks, dashes, invisible characters and a letter repeated a thousand times add nothing to it.
 */
export interface Letters {
  readonly count: number;
  readonly before: (at: number) => number;
}

/**
 * Counts are stored once per this many characters, and counted from there for each position asked about, which are few.
 */
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

/**
 * 1 for each UTF-16 unit that is a letter or digit by itself. Surrogates are not, so fancy letters outside the BMP do
 * not count.
 */
let LETTERS: Uint8Array | null = null;

function letters(): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, unit) => {
    const kind = classOf(unit);
    return kind !== DROP && kind !== SPACE && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0;
  });
}
