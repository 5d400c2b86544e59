import type { Forbidden } from '../domain/job.ts';
import type { Channel } from '../domain/stream.ts';
import { hintedBy } from '../text/asked.ts';
import { lastBoundary } from './boundary.ts';
import type { Ruleset } from './ruleset.ts';

/**
 * What a step of a stream reads again of the ones before it. A step brings a handful of words, and reading all that is remembered
 * with each of them was most of its cost. What stands in plain sight is seen from near; what is in disguise may be spread over
 * more, and is seen by a survey of all that is remembered: at once where anything looks like a disguise, before what ends the
 * reading, and every so many characters in any case.
 */

/** Longer than any window of a signature: what was said this long ago cannot become part of a match. */
const MEMORY_CHARS = 2048;
/** More than any pattern spans, and any words of ours that must stand near each other; an operator's may reach further. */
const NEAR_CHARS = 640;
const SLACK_CHARS = 256;
const SURVEY_EVERY_CHARS = 1024;

/** How many characters of its beginning a channel can do without. All since the last survey is kept for the next. */
export function forgettable({ before, settled, surveyed }: Channel): number {
  return Math.max(0, Math.min(settled, surveyed) - before - MEMORY_CHARS);
}

/**
 * What is read of a channel up to a place in its text: from near, where that is in plain sight, else all that is remembered. `from` is
 * counted from the beginning of the channel.
 */
export function stretchOf(ruleset: Ruleset, channel: Channel, end: number, forbidden: Forbidden | null): Stretch {
  const { text, before, settled, surveyed } = channel;
  const all = { from: before, text: text.slice(0, end), undisguised: false };
  const near = settled - before - nearCharsOf(ruleset);
  if (near <= 0 || before + end - surveyed >= SURVEY_EVERY_CHARS || !isSeenFromNear(forbidden)) return all;
  // Not within a word or among the groups of a number: the half of one may be taken for another.
  const from = lastBoundary(text.slice(0, near));
  const close = text.slice(from, end);
  return isDisguised(ruleset, close) ? all : { from: before + from, text: close, undisguised: true };
}

export interface Stretch {
  readonly from: number;
  readonly text: string;
  /** Known to be in plain sight. Nobody has asked about what is not. */
  readonly undisguised: boolean;
}

const known = new WeakMap<Ruleset, number>();

/** Words that may stand anywhere in a text are seen from nowhere but all of it. */
function nearCharsOf(ruleset: Ruleset): number {
  let chars = known.get(ruleset);
  if (chars === undefined) {
    chars = NEAR_CHARS;
    for (const { near, span, all } of ruleset.rules) {
      if (near.length > 0) chars = Math.max(chars, span + SLACK_CHARS);
      if (all.length > 0) chars = Infinity;
    }
    known.set(ruleset, chars);
  }
  return chars;
}

function isSeenFromNear(forbidden: Forbidden | null): boolean {
  return forbidden === null || forbidden.canaries.every((canary) => canary.length < NEAR_CHARS / 2);
}

function isDisguised(ruleset: Ruleset, text: string): boolean {
  return hintedBy(text).length > 0 || ruleset.shapesIn(Buffer.from(text)).length > 0;
}
