import { isBlank, textOfUnits } from '../units.ts';

/** From the last character to the first, pairs of surrogates whole. */
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

/** Whatever stands between two blanks, signs and all: they may stand for letters, or be what an escape begins with. */
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

/** Of which arrays of numbers would cost more. */
const SHORT = 16;
/** What a surrogate of either kind begins with. */
const HIGH = 0xd800 >> 10;
const LOW = 0xdc00 >> 10;

/** `all`: the bits that any of them has. */
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
