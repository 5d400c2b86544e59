/** A text written otherwise, and the way back from its offsets to those of the original. */
export interface PlacedText {
  readonly text: string;
  /**
   * Where in the original the character at this offset begins; for the length of the text, where the last character
   * ends.
   */
  readonly origin: (at: number) => number;
}

/** The text with each match of a global pattern written as `write` says. */
export function rewritten(text: string, pattern: RegExp, write: (match: string) => string): PlacedText {
  const parts: string[] = [];
  /**
   * Offsets that belong together: `here` in the new text, `there` in the original. From each to the next, both go side
   * by side.
   */
  const here: number[] = [0];
  const there: number[] = [0];
  let length = 0;
  let from = 0;
  const meet = (origin: number): void => {
    here.push(length);
    there.push(origin);
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const letters = write(match);
    parts.push(text.slice(from, index), letters);
    length += index - from;
    meet(index);
    length += letters.length;
    from = index + match.length;
    meet(from);
  }
  parts.push(text.slice(from));
  return {
    text: parts.join(''),
    origin(at) {
      let low = 0;
      let high = here.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (here[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      // One sign may stand for several letters, and the way back ends behind it.
      return Math.min(there[low]! + at - here[low]!, there[low + 1] ?? Infinity);
    },
  };
}

/** What is written in the first is read in the second: from its offsets to those of the original. */
export function throughBoth(first: PlacedText, second: PlacedText): PlacedText {
  return { text: second.text, origin: (at) => first.origin(second.origin(at)) };
}
