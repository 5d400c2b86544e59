/** How a terminal treats what it does not print: control sequences that it obeys, and characters that erase others. */

/** A delete character, or a sequence that moves the cursor to the left. */
const RUBS = /\x7f|(?:\x1b\[|\x9b)[0-9]{0,2}D/;
const LEFT = 0x44;
const MOST_STEPS = 99;

/** CSI as a single character, equivalent to `ESC [`. */
export const CONTROL_SEQUENCE = 0x9b;

/** Whether anything is erased or overwritten by other means than a backspace. */
export function rubsOut(text: string): boolean {
  return RUBS.test(text);
}

/**
 * The length after a backspace: it erases the character before it, as on a terminal or a printer, but never across a
 * line end.
 */
export function rubbedOut(out: Uint16Array, length: number): number {
  if (length === 0 || out[length - 1] === 0x0a) return length;
  return length - (isLowSurrogate(out[length - 1] as number) ? 2 : 1);
}

/** How far a control sequence moves the cursor to the left; following text overwrites that many characters. */
export function stepsLeft(text: string, start: number, end: number): number {
  if (text.charCodeAt(end - 1) !== LEFT) return 0;
  const first = text.charCodeAt(start) === CONTROL_SEQUENCE ? start + 1 : start + 2;
  const count = Number(text.slice(first, end - 1) || 1);
  return Number.isInteger(count) ? Math.min(Math.max(1, count), MOST_STEPS) : 0;
}

/**
 * The index after the control sequence or string that starts at `from`. Of an unterminated string, only the first two
 * characters count.
 */
export function endOfEscape(text: string, from: number, lastTerminator: number): number {
  const kind = text.charCodeAt(from + 1);
  if (kind === 0x5b) return endOfSequence(text, from + 2);
  // Selecting a character set takes one more character, whatever it is: `ESC ( B`.
  if (kind >= 0x20 && kind < 0x30 && from + 2 < text.length) return from + 3;
  // Strings are searched for their end only if a terminator exists further on, so that a million openings do not each
  // search to the end of the text.
  if ((kind === 0x5d || kind === 0x50 || kind === 0x5f || kind === 0x5e) && lastTerminator > from) {
    for (let i = from + 2; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0x07) return i + 1;
      if (unit === 0x1b) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : i;
    }
  }
  return kind >= 0x40 && kind < 0x7f ? from + 2 : from + 1;
}

/** The index after the parameters and the final character of a control sequence. */
export function endOfSequence(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x40) i++;
  const final = text.charCodeAt(i);
  return final >= 0x40 && final <= 0x7e ? i + 1 : i;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
