/** How a terminal treats what it does not print: control sequences that it obeys, and characters that erase others. */

/** A delete character, or a sequence that moves the cursor to the left. */
const RUBS = /\x7f|(?:\x1b\[|\x9b)[0-9]{0,2}D/;
const LEFT = 0x44;
const MOST_STEPS = 99;

/** CSI as a single character, equivalent to `ESC [`. */
const CONTROL_SEQUENCE = 0x9b;
const BELL = 0x07;
const ESC = 0x1b;
/** ST as a single character, equivalent to `ESC \\`. */
const STRING_TERMINATOR = 0x9c;
/** DCS, SOS, OSC, PM and APC as single characters: `ESC P`, `ESC X`, `ESC ]`, `ESC ^` and `ESC _` are the long forms. */
export const STRING_OPENINGS = [0x90, 0x98, 0x9d, 0x9e, 0x9f] as const;
const OPENS_STRING: ReadonlySet<number> = new Set(STRING_OPENINGS);
const OPENS_AFTER_ESC: ReadonlySet<number> = new Set(STRING_OPENINGS.map((opening) => opening - 0x40));

/** Whether this character after ESC opens a string that a terminal does not show: `]`, `P`, `X`, `^` or `_`. */
export function opensString(unit: number): boolean {
  return OPENS_AFTER_ESC.has(unit);
}

/** Whether a single character beyond ASCII opens a control sequence or a string. */
export function isControl(unit: number): boolean {
  return unit === CONTROL_SEQUENCE || OPENS_STRING.has(unit);
}

/** Whether a terminal string ends at this character. Any ESC ends it, whether or not it is the first half of a terminator. */
export function endsString(unit: number): boolean {
  return unit === BELL || unit === ESC || unit === STRING_TERMINATOR;
}

/** The position of the last character that could end a terminal string; -1 if there is none. */
export function lastTerminatorOf(text: string): number {
  return Math.max(text.lastIndexOf('\u0007'), text.lastIndexOf('\u001b\\'), text.lastIndexOf('\u009c'));
}

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
 * The index after the control sequence or string that starts at `from`. Of an unterminated string, only its opening
 * counts.
 */
export function endOfEscape(text: string, from: number, lastTerminator: number): number {
  if (text.charCodeAt(from) === CONTROL_SEQUENCE) return endOfSequence(text, from + 1);
  if (text.charCodeAt(from) !== ESC) return endOfString(text, from + 1, lastTerminator) ?? from + 1;
  const kind = text.charCodeAt(from + 1);
  if (kind === 0x5b) return endOfSequence(text, from + 2);
  // Selecting a character set takes one more character, whatever it is: `ESC ( B`.
  if (kind >= 0x20 && kind < 0x30 && from + 2 < text.length) return from + 3;
  const end = OPENS_AFTER_ESC.has(kind) ? endOfString(text, from + 2, lastTerminator) : null;
  return end ?? (kind >= 0x40 && kind < 0x7f ? from + 2 : from + 1);
}

/**
 * The index after a string whose content begins at `from`; null if it is not terminated. It is searched for its end only
 * if a terminator exists further on, so that a million openings do not each search to the end of the text.
 */
function endOfString(text: string, from: number, lastTerminator: number): number | null {
  if (lastTerminator < from) return null;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === ESC) return text.charCodeAt(i + 1) === 0x5c ? i + 2 : i;
    if (endsString(unit)) return i + 1;
  }
  return null;
}

/** The index after the parameters and the final character of a control sequence. */
function endOfSequence(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x40) i++;
  const final = text.charCodeAt(i);
  return final >= 0x40 && final <= 0x7e ? i + 1 : i;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
