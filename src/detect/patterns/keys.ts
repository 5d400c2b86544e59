import { beginsSeparator } from '../../text/separators.ts';
import { beginningsIn } from './beginnings.ts';
import { commonness } from './commonness.ts';

/**
 * What the first look waits for in place of a literal: cheap to spot in one pass, and present wherever the literal is.
 * Words are in lower case. For a literal of several words, the rarest pair of neighbors may stand.
 *
 * Example: the literal `' ignore previous '` has the key `{ kind: 'pair', text: 'ignore previous' }`.
 */
export type Key =
  | { readonly kind: 'word'; readonly text: string }
  /** Two words, one after the other. */
  | { readonly kind: 'pair'; readonly text: string }
  /** The beginning of a word. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** The end of a word. */
  | { readonly kind: 'suffix'; readonly text: string }
  /** Characters beyond ASCII, side by side: for scripts not read by words, and words found inside of others. */
  | { readonly kind: 'gram'; readonly text: string };

/** No gram is longer than this: it is most of a stem, and more than a word of Chinese. */
export const LONGEST_GRAM = 6;
export const LEAST_PREFIX = 3;
export const LEAST_SUFFIX = 2;
const LEAST_WORD = 2;
/** How much rarer a pair is than the rarer of its words. */
const PAIRED = 1 / 30;
/** How much more common a prefix or suffix is than the word alone, since other words share it. */
const CONTINUED = 3;
/** The share of honest words that hold a given gram, by its number of characters. Grams of five are cut to four. */
const GRAM = [0, 0, 1 / 1000, 1 / 4000, 1 / 20_000, 0, 1 / 60_000] as const;
/**
 * Scripts in which little traffic is written. The other words that a rule in such a script may wait for are English and
 * stand everywhere, so that its grams are the better choice.
 */
const SELDOM_WRITTEN =
  /^[\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{M}\u200c\u200d]+$/u;
const LESS_OFTEN = 1 / 20;
/** Words of this script often begin alike and differ at the end of their stem: grams are taken from the end. */
const OF_STEMS = /^\p{Script=Cyrillic}+$/u;

/** The key that was chosen for a literal. */
export interface KeyOf {
  readonly key: Key;
  /** How often the key is expected, for each word of a text. */
  readonly share: number;
  /** How many words begin in the literal up to and with the one that the key ends in, and after it. */
  readonly lead: number;
  readonly tail: number;
}

/** The rarest key of a literal. Null when there is nothing to spot. */
export function keyOf(literal: string): KeyOf | null {
  let best: KeyOf | null = null;
  const offer = (key: Key, share: number, end: number): void => {
    if (best !== null && share > best.share) return;
    best = { key, share, lead: beginningsIn(literal.slice(0, end)), tail: beginningsIn(literal.slice(end)) };
  };
  // A character beyond ASCII ends a word, as the spotter reads words: of `fortælle` it reads `fort` and `lle`. At an
  // edge of the literal a word may go on, unless a blank says that it does not.
  let wholeBefore: string | null = null;
  for (const { 0: run, index } of literal.matchAll(/[a-z0-9]+/g)) {
    const end = index + run.length;
    const opens = index > 0;
    const closes = end < literal.length;
    const share = commonness(run);
    if (opens && closes && run.length >= LEAST_WORD) offer({ kind: 'word', text: run }, share, end);
    if (opens && closes && wholeBefore !== null)
      offer({ kind: 'pair', text: `${wholeBefore} ${run}` }, PAIRED * Math.min(commonness(wholeBefore), share), end);
    if (opens && !closes && run.length >= LEAST_PREFIX) offer({ kind: 'prefix', text: run }, CONTINUED * share, end);
    if (!opens && closes && run.length >= LEAST_SUFFIX) offer({ kind: 'suffix', text: run }, CONTINUED * share, end);
    wholeBefore = opens && closes ? run : null;
  }
  for (const { run, index } of widesIn(literal)) {
    const length = run.length === 5 ? 4 : Math.min(run.length, LONGEST_GRAM);
    if (length < LEAST_WORD) continue;
    const from = OF_STEMS.test(run) ? run.length - length : 0;
    const text = run.slice(from, from + length);
    const share = GRAM[length]! * (SELDOM_WRITTEN.test(text) ? LESS_OFTEN : 1);
    offer({ kind: 'gram', text }, share, index + from + length);
  }
  return best;
}

/** The runs of characters beyond ASCII, which end at whatever stands between words, as the spotter reads them. */
function widesIn(literal: string): { readonly run: string; readonly index: number }[] {
  const ends = Array.from(literal, (char) =>
    char > '\x7f' && !beginsSeparator(char.charCodeAt(0)) ? char : ' '.repeat(char.length),
  );
  return Array.from(ends.join('').matchAll(/[^\x00-\x7f]+/g), ({ 0: run, index }) => ({ run, index }));
}
