import type { Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';
import { isEntryBetween } from './entries.ts';
import { isSentenceBetween } from './sentences.ts';

/**
 * How the groups of a rule stand: together, or not within reach. `apart` is for those that belong into one sentence and
 * stand only with the end of one between them, `entries` for those that stand only in different entries of a catalog.
 */
export type Standing = 'together' | 'apart' | 'entries' | 'no';

/** How many engine calls may still be made for a text. */
export interface Steps {
  left: number;
}

export function stepsFor(bytes: number): Steps {
  return { left: FREE_STEPS + bytes / BYTES_PER_STEP };
}

/**
 * How the groups of a rule stand within `reach` of each other, according to the engine.
 *
 * The first look saw their words within reach of each other; here the whole patterns have to be. Each step moves the
 * group that lags furthest behind to where it could still meet the one furthest ahead, and takes about a microsecond. A
 * sender who packs a text with words just out of each other's reach could cause very many steps. When the budget is
 * spent, the groups count as near: to answer "no" there would hand that sender a bypass.
 */
export function standing(
  ruleset: Ruleset,
  rule: Rule,
  bytes: Buffer,
  reach: number,
  steps: Steps,
  isOfCatalog: () => boolean,
): Standing {
  if (steps.left <= 0) return 'together';
  // Asking whether a pattern occurs costs a quarter of asking where, and one of them mostly does not occur.
  steps.left -= rule.near.length;
  if (!rule.near.every((atom) => ruleset.occurs(atom, bytes))) return 'no';
  let best: Standing = 'no';
  const places: { start: number; end: number }[] = [];
  for (const atom of rule.near) {
    steps.left -= 1;
    const place = ruleset.find(atom, bytes, 0);
    if (place === null) return 'no';
    places.push(place);
  }
  while (steps.left > 0) {
    let lagging = 0;
    let ahead = 0;
    for (const [i, place] of places.entries()) {
      if (place.end < (places[lagging] as { end: number }).end) lagging = i;
      if (place.start > ahead) ahead = place.start;
    }
    const behind = places[lagging] as { start: number; end: number };
    if (ahead - behind.end <= reach) {
      const { sentence, language } = rule.signature;
      if (
        language !== undefined &&
        isBetweenAny(bytes, places, (from, to) => isEntryBetween(bytes, from, to, isOfCatalog))
      )
        best = best === 'apart' ? best : 'entries';
      else if (sentence === true && isBetweenAny(bytes, places, (from, to) => isSentenceBetween(bytes, from, to)))
        best = 'apart';
      else return 'together';
    }
    const atom = rule.near[lagging] as number;
    // A match that still ends within reach may begin before that, even inside of the match that lags behind.
    const widest = MOST_BYTES * (ruleset.atoms[atom]!.max + MARKS_AROUND);
    steps.left -= 1 + widest / BYTES_OF_A_STEP;
    const next = ruleset.find(atom, bytes, Math.max(behind.start + 1, ahead - reach - widest));
    if (next === null) return best;
    places[lagging] = next;
  }
  return 'together';
}

/** Whether something ends between two of the matches that follow each other. */
function isBetweenAny(
  bytes: Buffer,
  places: readonly { readonly start: number; readonly end: number }[],
  isBetween: (from: number, to: number) => boolean,
): boolean {
  let last = 0;
  const inOrder = places.map((place) => withoutMarks(bytes, place)).sort((a, b) => a.start - b.start);
  for (const [i, { start, end }] of inOrder.entries()) {
    if (i > 0 && isBetween(last, start)) return true;
    last = Math.max(last, end);
  }
  return false;
}

/**
 * A match begins and ends with what stands beside its words. Where none of some words may follow or stand before
 * (signatures/none-of.ts), that is also a piece of the next word, or of the one before.
 */
function withoutMarks(bytes: Buffer, { start, end }: { readonly start: number; readonly end: number }) {
  let text = bytes.toString('utf8', start, end);
  const before = startsInWord(bytes, start) ? PIECE_BEFORE.exec(text)?.[0] : undefined;
  const from = start + Buffer.byteLength(before ?? MARKS_BEFORE.exec(text)![0]);
  text = bytes.toString('utf8', from, end);
  const behind = endsInWord(bytes, end) ? PIECE_BEHIND.exec(text)?.[0] : undefined;
  return { start: from, end: end - Buffer.byteLength(behind ?? MARKS_BEHIND.exec(text)![0]) };
}

function startsInWord(bytes: Buffer, at: number): boolean {
  return /[\p{L}\p{N}]$/u.test(bytes.toString('utf8', Math.max(0, at - MOST_BYTES), at));
}

function endsInWord(bytes: Buffer, at: number): boolean {
  return /^[\p{L}\p{N}]/u.test(bytes.toString('utf8', at, at + MOST_BYTES));
}

const MARKS_BEFORE = /^[^\p{L}\p{N}]*/u;
/** No more than a few: the rest of a longer run stands between the matches all the same. */
const MARKS_BEHIND = /[^\p{L}\p{N}]{0,8}$/u;
/** With a word of the match on the other side. */
const PIECE_BEFORE = /^[\p{L}\p{N}]+[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u;
const PIECE_BEHIND = /(?<=[\p{L}\p{N}])[^\p{L}\p{N}]{1,8}[\p{L}\p{N}]+$/u;

/** Most bytes of a character. */
const MOST_BYTES = 4;
/** Underscores that a match may begin and end with beside its words, as in `_this_`. */
const MARKS_AROUND = 6;
const FREE_STEPS = 256;
const BYTES_PER_STEP = 96;
/** Reading this many bytes again costs as much as a call. */
const BYTES_OF_A_STEP = 512;
