import { isAsciiLetter, isDigit, isUpperHex } from './units.ts';

/**
 * Whether an equals sign hides something as quoted-printable mail does: a character (`=69`), or a line end in the
 * middle of a word. Code is full of `width=50`, `=BASE` and lines that end in `=`. Those hide nothing, and reading each
 * of them twice would be a third of the cost of reading code. So a single escape must change a word.
 */
export function isQuotedEscape(units: Uint16Array, at: number, end: number): boolean {
  if (at + 1 >= end) return false;
  const next = units[at + 1] as number;
  if (next === 0x0a) return isLineBreak(units, at, at + 2, end);
  if (next === 0x0d && units[at + 2] === 0x0a) return isLineBreak(units, at, at + 3, end);
  if (!isPairAt(units, at, end)) return false;
  if (isPairAt(units, at + 3, end) || (at >= 3 && isPairAt(units, at - 3, end))) return true;
  const before = at > 0 ? (units[at - 1] as number) : 0;
  const after = at + 3 < end ? (units[at + 3] as number) : 0;
  const code = valueAt(units, at);
  if (isAsciiLetter(code)) return true;
  // A space, a symbol or a digit counts only before a letter; otherwise the text is a word with a number after it.
  if (code >= 0x20 && code < 0x7f) return isAsciiLetter(after);
  // A single byte of a character beyond ASCII, as in Latin-1.
  return code >= 0xc0 && isAsciiLetter(before) && isAsciiLetter(after);
}

/** A soft line break (`=` at a line end) that splits a word. No word continues after a blank. */
function isLineBreak(units: Uint16Array, at: number, next: number, end: number): boolean {
  const goesOn = at > 0 && next < end && isOfWord(units[at - 1] as number) && isOfWord(units[next] as number);
  return goesOn && !isPadding(units, at);
}

/** The length of base64 checksums at line ends, as in lists of files: 20 to 64 bytes. */
const LEAST_SUM = 27;
const MOST_SUM = 88;

/** Whether the equals sign is the padding of a base64 checksum, which brings its length to a multiple of four. */
function isPadding(units: Uint16Array, at: number): boolean {
  const last = at > 0 && units[at - 1] === 0x3d ? at - 1 : at;
  let start = last;
  let [capitals, smalls, digits] = [0, 0, 0];
  for (; start > 0 && last - start <= MOST_SUM; start -= 1) {
    const unit = units[start - 1] as number;
    if (isDigit(unit)) digits += 1;
    else if (isAsciiLetter(unit)) {
      if (unit >= 0x61) smalls += 1;
      else capitals += 1;
    } else if (unit !== 0x2b && unit !== 0x2f) break;
  }
  const length = last - start;
  return (
    length >= LEAST_SUM && length <= MOST_SUM && (at + 1 - start) % 4 === 0 && Math.min(capitals, smalls, digits) > 0
  );
}

function isOfWord(unit: number): boolean {
  return isAsciiLetter(unit) || isDigit(unit) || unit > 0x7f || unit === 0x3d;
}

function isPairAt(units: Uint16Array, at: number, end: number): boolean {
  return (
    at + 2 < end && units[at] === 0x3d && isUpperHex(units[at + 1] as number) && isUpperHex(units[at + 2] as number)
  );
}

function valueAt(units: Uint16Array, at: number): number {
  return digit(units[at + 1] as number) * 16 + digit(units[at + 2] as number);
}

function digit(unit: number): number {
  return isDigit(unit) ? unit - 0x30 : unit - 0x37;
}
