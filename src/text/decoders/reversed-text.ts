import { isBlank, textOfUnits } from '../units.ts';

/** The characters in reverse order. Surrogate pairs stay intact. */
export function inReverse(text: string): string {
  const { length } = text;
  if (length <= SHORT) return [...text].reverse().join('');
  const units = new Uint16Array(length);
  let all = 0;
  for (let at = 0, to = length - 1; at < length; at += 1, to -= 1) {
    const unit = text.charCodeAt(at);
    all |= unit;
    units[to] = unit;
  }
  return textFrom(units, all);
}

/** Reverses everything between two blanks, including symbols: they may stand for letters, or begin an escape. */
export function wordsReversed(text: string): string {
  const { length } = text;
  const units = new Uint16Array(length);
  let all = 0;
  for (let start = 0; start < length;) {
    let end = start;
    while (end < length && !isBlank(text.charCodeAt(end))) end += 1;
    for (let at = start, to = end - 1; at < end; at += 1, to -= 1) {
      const unit = text.charCodeAt(at);
      all |= unit;
      units[to] = unit;
    }
    if (end < length) {
      const blank = text.charCodeAt(end);
      all |= blank;
      units[end] = blank;
    }
    start = end + 1;
  }
  return textFrom(units, all);
}

/** For texts up to this length, typed arrays would cost more than they save. */
const SHORT = 16;
/** The upper six bits of a high and of a low surrogate. */
const HIGH = 0xd800 >> 10;
const LOW = 0xdc00 >> 10;

/** Restores surrogate pairs and returns the text. `all` is the bitwise OR of all units. */
function textFrom(units: Uint16Array, all: number): string {
  if (all < 0x100) return Buffer.from(units).toString('latin1');
  for (let at = 1; at < units.length; at += 1) {
    const [before, unit] = [units[at - 1]!, units[at]!];
    if (before >> 10 !== LOW || unit >> 10 !== HIGH) continue;
    units[at - 1] = unit;
    units[at] = before;
    at += 1;
  }
  return textOfUnits(units, units.length);
}
