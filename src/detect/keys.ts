import { beginningsIn } from './beginnings.ts';
import { commonness } from './commonness.ts';

/**
 * What the first look waits for, in place of a literal: cheap to spot in one pass, and standing wherever the literal does.
 * Words are in lower case. Where a literal holds several words, the two neighbours that are seldom seen stand for it.
 */
export type Key =
  | { readonly kind: 'word'; readonly text: string }
  /** Two words, one after the other. */
  | { readonly kind: 'pair'; readonly text: string }
  /** The beginning of a word. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** The end of a word. */
  | { readonly kind: 'suffix'; readonly text: string }
  /** Characters beyond ASCII, side by side: scripts that are not read by words, and words that are found inside of others. */
  | { readonly kind: 'gram'; readonly text: string };

/** No gram is longer: it is most of a stem, and more than a word of Chinese. */
export const LONGEST_GRAM = 6;
export const LEAST_PREFIX = 3;
export const LEAST_SUFFIX = 2;
const LEAST_WORD = 2;
const PAIRED = 1 / 30;
const CONTINUED = 3;
/** The share of honest words that hold a gram of so many characters; those of five are looked for by four of them. */
const GRAM = [0, 0, 1 / 1000, 1 / 4000, 1 / 20_000, 0, 1 / 60_000] as const;
/** Of scripts that little traffic is written in: what else a rule may wait for is a word of English, and stands everywhere. */
const SELDOM_WRITTEN =
  /^[\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}\p{M}\u200c\u200d]+$/u;
const LESS_OFTEN = 1 / 20;
/** Words that begin alike, and differ at the end of what is common to their forms. */
const OF_STEMS = /^\p{Script=Cyrillic}+$/u;

/** What of a literal is waited for. */
export interface KeyOf {
  readonly key: Key;
  /** How often it is expected for each word of a text. */
  readonly share: number;
  /** The words that begin in the literal up to the one that the key ends in, and after it. */
  readonly lead: number;
  readonly tail: number;
}

/** The rarest of what the literal holds. Null when there is nothing to spot. */
export function keyOf(literal: string): KeyOf | null {
  let best: KeyOf | null = null;
  const offer = (key: Key, share: number, end: number): void => {
    if (best !== null && share > best.share) return;
    best = { key, share, lead: beginningsIn(literal.slice(0, end)), tail: beginningsIn(literal.slice(end)) };
  };
  // What is beyond ASCII is an edge of words, as the spotter reads them: of `fortælle` it reads `fort` and `lle`. At an edge of the
  // literal a word may go on, where no blank says that it does not.
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
  for (const { 0: run, index } of literal.matchAll(/[^\x00-\x7f]+/g)) {
    const length = run.length === 5 ? 4 : Math.min(run.length, LONGEST_GRAM);
    if (length < LEAST_WORD) continue;
    const from = OF_STEMS.test(run) ? run.length - length : 0;
    const text = run.slice(from, from + length);
    const share = GRAM[length]! * (SELDOM_WRITTEN.test(text) ? LESS_OFTEN : 1);
    offer({ kind: 'gram', text }, share, index + from + length);
  }
  return best;
}
