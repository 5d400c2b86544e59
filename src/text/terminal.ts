/** What a terminal does with what is not printed: sequences that it obeys, and characters that it rubs out. */

/** A delete, or a sequence that moves the cursor to the left. */
const RUBS = /\x7f|(?:\x1b\[|\x9b)[0-9]{0,2}D/;
const LEFT = 0x44;
const MOST_STEPS = 99;

/** An escape and a bracket in one character. */
export const CONTROL_SEQUENCE = 0x9b;

/** Whether anything is rubbed out or written over, but for a backspace. */
export function rubsOut(text: string): boolean {
  return RUBS.test(text);
}

/** A backspace rubs out what stands before it, as a terminal and a printer do; never across a line. */
export function rubbedOut(out: Uint16Array, length: number): number {
  if (length === 0 || out[length - 1] === 0x0a) return length;
  return length - (isLowSurrogate(out[length - 1] as number) ? 2 : 1);
}

/** How far a control sequence moves to the left: what follows is written over so many characters. */
export function stepsLeft(text: string, start: number, end: number): number {
  if (text.charCodeAt(end - 1) !== LEFT) return 0;
  const first = text.charCodeAt(start) === CONTROL_SEQUENCE ? start + 1 : start + 2;
  const count = Number(text.slice(first, end - 1) || 1);
  return Number.isInteger(count) ? Math.min(Math.max(1, count), MOST_STEPS) : 0;
}

/** Just after the control sequence or string that starts at `from`; one that never ends is only its first two characters. */
export function endOfEscape(text: string, from: number, lastTerminator: number): number {
  const kind = text.charCodeAt(from + 1);
  if (kind === 0x5b) return endOfSequence(text, from + 2);
  // Of a change of the character set the last belongs to it, whatever it is: `ESC ( B`.
  if (kind >= 0x20 && kind < 0x30 && from + 2 < text.length) return from + 3;
  // Only strings whose end exists are looked for, so that a million openings do not each search to the end.
  if ((kind === 0x5d || kind === 0x50 || kind === 0x5f || kind === 0x5e) && lastTerminator > from) {
    for (let i = from + 2; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0x07) return i + 1;
      if (unit === 0x1b) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : i;
    }
  }
  return kind >= 0x40 && kind < 0x7f ? from + 2 : from + 1;
}

/** Behind the parameters of a control sequence and its last character. */
export function endOfSequence(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x40) i++;
  const final = text.charCodeAt(i);
  return final >= 0x40 && final <= 0x7e ? i + 1 : i;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
