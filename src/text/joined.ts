import { eachSegment } from './segments.ts';
import { isAsciiLetter, isCapital } from './units.ts';

/**
 * Words that were joined without blanks, and the stretches in which known words prevail. A phrase is looked for in
 * stretches, not in a token as a whole: otherwise a few unknown words around it would hide it.
 */
export interface Stretch {
  readonly start: number;
  /** The end of its last known word. */
  readonly end: number;
  /** All words, with the letters between known words as words. */
  readonly words: number;
  readonly knownWords: number;
  /** Known words of more than SHORT letters. Short ones occur in any letters by chance. */
  readonly longWords: number;
  readonly letters: number;
  readonly knownLetters: number;
}

const SHORT = 3;
const LEAST_WORDS = 3;
/**
 * What each segment adds to the score of a stretch, which ends when its score is below LEAST_SCORE. A long word adds its
 * letters. A phrase has a few short words in a row, and unknown words of any length.
 */
const OF_SHORT = -1;
const OF_STRAY_LETTER = -3;
const MOST_OF_STRAYS = -8;
const LEAST_SCORE = -3;

/** Whether a capital begins a word, as in `ignoreAllRules`, or means nothing, as in `iGnOrEaLlRuLeS`. */
export type Capitals = 'begin-words' | 'mean-nothing';

/** Calls `tell` for each part of a token: letters up to anything else, or up to the capital that begins the next word. */
export function eachPart(
  units: Uint16Array,
  start: number,
  end: number,
  tell: (from: number, to: number) => void,
  capitals: Capitals = 'begin-words',
): void {
  for (let at = start; at < end;) {
    if (!isAsciiLetter(units[at] as number)) {
      at++;
      continue;
    }
    const from = at;
    at = endOfPart(units, from, end, capitals);
    tell(from, at);
  }
}

/** Calls `tell` for each known word of a token, and for the letters between known words. */
function eachWord(
  units: Uint16Array,
  start: number,
  end: number,
  tell: (from: number, to: number, isWord: boolean) => void,
  capitals?: Capitals,
): void {
  eachPart(units, start, end, (from, to) => eachSegment(units, from, to, tell), capitals);
}

function endOfPart(units: Uint16Array, start: number, end: number, capitals: Capitals): number {
  let to = start + 1;
  while (to < end && isAsciiLetter(units[to] as number) && !(capitals === 'begin-words' && beginsWord(units, to))) to++;
  return to;
}

function beginsWord(units: Uint16Array, at: number): boolean {
  return isCapital(units[at] as number) && !isCapital(units[at - 1] as number);
}

/** A whole token, from its first letter to its last, and the stretches in it that may be phrases, in order. */
export interface Split extends Stretch {
  readonly stretches: readonly Stretch[];
}

type Count = { -readonly [name in keyof Stretch]: Stretch[name] };

export function split(units: Uint16Array, start: number, end: number, capitals?: Capitals): Split {
  const stretches: Stretch[] = [];
  const whole = newCount(start, end);
  let score = 0;
  let open: Count | null = null;
  /** What follows the last known word of the open stretch. */
  let strays = 0;
  let letters = 0;
  eachWord(
    units,
    start,
    end,
    (from, to, isWord) => {
      const size = to - from;
      count(whole, size, isWord);
      if (isWord) {
        open ??= newCount(from, to);
        open.words += strays;
        open.letters += letters;
        strays = letters = 0;
        count(open, size, true);
        open.end = to;
        score += size > SHORT ? size : OF_SHORT;
      } else if (open !== null) {
        strays++;
        letters += size;
        score += Math.max(MOST_OF_STRAYS, OF_STRAY_LETTER * size);
      }
      if (open === null || score >= LEAST_SCORE) return;
      if (mayBePhrase(open)) stretches.push(open);
      open = null;
      score = strays = letters = 0;
    },
    capitals,
  );
  if (open !== null && mayBePhrase(open)) stretches.push(open);
  return { ...whole, stretches };
}

/** Fewer words are no phrase. Megabytes of letters have a word by chance every few letters, and these are not kept. */
function mayBePhrase({ knownWords, longWords }: Stretch): boolean {
  return knownWords >= LEAST_WORDS && longWords > 0;
}

function newCount(start: number, end: number): Count {
  return { start, end, words: 0, knownWords: 0, longWords: 0, letters: 0, knownLetters: 0 };
}

function count(into: Count, size: number, isWord: boolean): void {
  into.words++;
  into.letters += size;
  if (!isWord) return;
  into.knownWords++;
  into.knownLetters += size;
  if (size > SHORT) into.longWords++;
}

/** The words of a token, and the letters between them, with a blank between each two. */
export function wordsOf(
  text: string,
  units: Uint16Array,
  { start, end }: Pick<Stretch, 'start' | 'end'>,
  capitals?: Capitals,
): string {
  const words: string[] = [];
  eachWord(units, start, end, (from, to) => words.push(text.slice(from, to)), capitals);
  return words.join(' ');
}
