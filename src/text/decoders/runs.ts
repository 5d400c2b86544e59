/**
 * Finds runs of an alphabet by table lookup. A global regular expression would start again at every character of each
 * word.
 */
export type Alphabet = Uint8Array;

export function alphabetOf(chars: string): Alphabet {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}

/**
 * For the RE2 set: enough characters of the class to be worth a look. All decoders share this expression, so that they
 * share states.
 */
export const ALNUM_RUN = '[0-9A-Za-z+/_-]{16}';

export const DIGITS = '0123456789';
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/** A half-open range of positions in a text. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

function isIn(alphabet: Alphabet, text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 && alphabet[unit] === 1;
}

/**
 * The runs of at least `least` characters. Looks ahead by the shortest run: in prose, most characters are never looked
 * at.
 */
export function runs(text: string, alphabet: Alphabet, least: number): Run[] {
  const found: Run[] = [];
  let from = 0;
  while (from + least <= text.length) {
    let back = from + least - 1;
    while (back >= from && isIn(alphabet, text, back)) back--;
    if (back >= from) {
      from = back + 1;
      continue;
    }
    let end = from + least;
    while (end < text.length && isIn(alphabet, text, end)) end++;
    found.push({ start: from, end });
    from = end + 1;
  }
  return found;
}

/** The first position at or after `from` that is not in the alphabet. */
export function endOfRun(text: string, alphabet: Alphabet, from: number): number {
  let end = from;
  while (end < text.length && isIn(alphabet, text, end)) end++;
  return end;
}
