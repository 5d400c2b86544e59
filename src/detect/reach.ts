import { isSeparator } from '../text/separators.ts';
import { isAlphanumeric } from '../text/units.ts';

/**
 * How much of a text stands near its end or its beginning, in characters that say something. Of a run of blanks,
 * punctuation and what nobody sees the first few count, and the rest takes no room. Otherwise a sender could put an
 * attack out of its own other half's reach with nothing at all.
 */

/** Invisible without being punctuation, or blank as a letter. */
const UNSEEN: ReadonlySet<number> = new Set([
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x200c, 0x200d, 0x2800, 0x3164,
  0xfeff, 0xffa0,
]);

/** Ordinary text has no longer runs between its words. */
const MOST_OF_RUN = 4;

/** Whether a UTF-16 unit takes room: a letter or a digit of any script. */
function says(unit: number): boolean {
  if (unit < 0x80) return isAlphanumeric(unit);
  return !isSeparator(unit) && !UNSEEN.has(unit);
}

/** Counts from one end of a text on. Returns the offset at which `most` is reached, or that of the other end. */
function walk(
  text: string,
  from: number,
  step: 1 | -1,
  most: number,
): { readonly at: number; readonly weight: number } {
  let weight = 0;
  let run = 0;
  let at = from;
  for (; at >= 0 && at < text.length && weight < most; at += step) {
    run = says(text.charCodeAt(at)) ? 0 : run + 1;
    if (run <= MOST_OF_RUN) weight += 1;
  }
  return { at, weight };
}

/**
 * Whether a part of a text may have a run that is longer than ordinary. Where it has none, every character counts, and
 * none has to be looked at. A run that is too long covers one of each so many characters, so only those are looked at,
 * and what stands around them.
 */
function mayHaveLongRun(text: string, from: number, to: number): boolean {
  for (let at = from + MOST_OF_RUN; at < to; at += MOST_OF_RUN + 1) {
    if (isAlphanumeric(text.charCodeAt(at))) continue;
    let start = at;
    while (start > from && at - start < MOST_OF_RUN && !isAlphanumeric(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end < to && end - start <= MOST_OF_RUN && !isAlphanumeric(text.charCodeAt(end))) end += 1;
    if (end - start > MOST_OF_RUN) return true;
  }
  return false;
}

/** Where the last `reach` characters begin. */
export function startOfEnd(text: string, reach: number): number {
  const start = text.length - reach;
  if (start <= 0) return 0;
  return mayHaveLongRun(text, start, text.length) ? walk(text, text.length - 1, -1, reach).at + 1 : start;
}

/** Where the first `reach` characters end. */
export function endOfStart(text: string, reach: number): number {
  if (text.length <= reach) return text.length;
  return mayHaveLongRun(text, 0, reach) ? walk(text, 0, 1, reach).at : reach;
}

/** What a text weighs, up to `most`. */
export function weightWithin(text: string, most: number): number {
  const length = Math.min(text.length, most);
  return mayHaveLongRun(text, 0, length) ? walk(text, 0, 1, most).weight : length;
}
