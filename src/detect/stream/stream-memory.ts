import type { Forbidden } from '../../domain/job.ts';
import type { Channel } from '../../domain/stream.ts';
import { hintedBy } from '../../text/asked.ts';
import { lastBoundary } from './boundary.ts';
import type { Ruleset } from '../ruleset.ts';

/**
 * How much of the earlier text a step of a stream reads again. A step brings a handful of words, and reading all
 * remembered text with each of them was most of its cost. What is in plain sight can be found from close by. What is
 * disguised may be spread over more text, and is found by a survey of all that is remembered: at once where anything
 * looks like a disguise, before what ends the client's reading, and every so many characters in any case.
 */

/** Longer than any window of a signature: text said this long ago cannot become part of a match. */
const MEMORY_CHARS = 2048;
/**
 * Longer than any pattern, and than the window of any bundled signature for words near each other. An operator's
 * signatures may reach further.
 */
const NEAR_CHARS = 640;
const SLACK_CHARS = 256;
const SURVEY_EVERY_CHARS = 1024;

/** How many characters a channel can drop from its beginning. All text since the last survey is kept for the next. */
export function forgettable({ droppedChars, judgedTo, surveyedTo }: Channel): number {
  return Math.max(0, Math.min(judgedTo, surveyedTo) - droppedChars - MEMORY_CHARS);
}

/**
 * What to read of a channel up to `end`, an offset in its text: only what is close by if that is in plain sight, else
 * all that is remembered. The `from` of the result is counted from the beginning of the channel.
 */
export function stretchOf(ruleset: Ruleset, channel: Channel, end: number, forbidden: Forbidden | null): Stretch {
  const { text, droppedChars, judgedTo, surveyedTo } = channel;
  const all = { from: droppedChars, text: text.slice(0, end), undisguised: false };
  const near = judgedTo - droppedChars - nearCharsOf(ruleset);
  if (near <= 0 || droppedChars + end - surveyedTo >= SURVEY_EVERY_CHARS || !isSeenFromNear(forbidden)) return all;
  // Not inside a word or between the groups of a number: half a number may be taken for another number.
  const from = lastBoundary(text.slice(0, near));
  const close = text.slice(from, end);
  return isDisguised(ruleset, close) ? all : { from: droppedChars + from, text: close, undisguised: true };
}

export interface Stretch {
  readonly from: number;
  readonly text: string;
  /** Known to be in plain sight. If false, nobody has checked. */
  readonly undisguised: boolean;
}

const known = new WeakMap<Ruleset, number>();

/** How far back to read for text in plain sight. Rules whose words may stand anywhere in a text need all of it. */
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

/** Whether every canary is short enough to be found from close by. */
function isSeenFromNear(forbidden: Forbidden | null): boolean {
  return forbidden === null || forbidden.canaries.every((canary) => canary.length < NEAR_CHARS / 2);
}

function isDisguised(ruleset: Ruleset, text: string): boolean {
  return hintedBy(text).length > 0 || ruleset.shapesIn(Buffer.from(text)).length > 0;
}
