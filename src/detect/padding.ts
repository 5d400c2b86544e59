import { PAD, runsIn } from '../text/runs-of-units.ts';
import { unitsOf } from '../text/units.ts';
import { hasRun } from './shapes.ts';

/**
 * Words may be driven apart by thousands of blanks or dashes: to a model they still stand side by side, but they would
 * fall into different slices here and out of each other's reach. Such text is read once more with its runs closed. A run
 * is short of that where four of them, between five words, still fit into what the first look allows for blanks.
 */
const RUN = 16;
const BLANKS = {
  members: Uint8Array.from({ length: 256 }, (_, code) =>
    code < 128 && !/[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
  ),
  length: RUN,
};

export function isPadded(bytes: Buffer): boolean {
  return hasRun(bytes, BLANKS);
}

/** Shorter runs are closed as well: what is closed for one of them is closed for all. */
const LEAST = 8;

/** By hand, since a regular expression keeps a way back for every blank of a run, and megabytes of them overflow its stack. */
export function closePadding(text: string): string {
  let closed = '';
  let kept = 0;
  for (const { start, end } of runsIn(unitsOf(text), 0, text.length, PAD, LEAST)) {
    closed += `${text.slice(kept, start)} `;
    kept = end;
  }
  return kept === 0 ? text : closed + text.slice(kept);
}
