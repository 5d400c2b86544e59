import { isBlank } from '../units.ts';

/** From the last character to the first, pairs of surrogates whole. */
export function inReverse(text: string): string {
  const { length } = text;
  if (length <= SHORT) return [...text].reverse().join('');
  const turned = new Uint16Array(length);
  let all = 0;
  for (let i = 0, to = length - 1; i < length; i += 1, to -= 1) {
    const unit = text.charCodeAt(i);
    all |= unit;
    turned[to] = unit;
  }
  if (all < 0x100) return Buffer.from(turned).toString('latin1');
  for (let i = 1; i < length; i += 1) {
    const [before, unit] = [turned[i - 1]!, turned[i]!];
    if (before >> 10 !== LOW || unit >> 10 !== HIGH) continue;
    turned[i - 1] = unit;
    turned[i] = before;
  }
  return Buffer.from(turned.buffer).toString('utf16le');
}

/** Of which arrays of numbers would cost more. */
const SHORT = 16;
/** What a surrogate of either kind begins with. */
const HIGH = 0xd800 >> 10;
const LOW = 0xdc00 >> 10;

/** Whatever stands between two blanks, signs and all: they may stand for letters, or be what an escape begins with. */
export function wordsReversed(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = at;
    while (end < text.length && !isBlank(text.charCodeAt(end))) end++;
    parts.push(inReverse(text.slice(at, end)), text.charAt(end));
    at = end + 1;
  }
  return parts.join('');
}
