/**
 * A text as an array of code units: one copy at memory speed, after which each access to a character is three times as
 * fast.
 */

/**
 * Most texts fit into the shared array; a longer one gets its own. Each text is fully read before the next, so sharing
 * is safe.
 */
export const USUAL = 65_536;
/**
 * The extra room is for rounding up the size of a text. Exported for loops that work on this one array: loops that
 * accept any array take twice as long.
 */
export const SCRATCH = new Uint16Array(USUAL + 8);
const SCRATCH_BYTES = Buffer.from(SCRATCH.buffer);

/** The code units of a text. The result is valid only until the next call. */
export function unitsOf(text: string): Uint16Array {
  if (text.length <= USUAL) {
    SCRATCH_BYTES.write(text, 0, 'utf16le');
    return SCRATCH;
  }
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, 0, 'utf16le');
  return units;
}

export function isAsciiLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isCapital(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isAlphanumeric(unit: number): boolean {
  return isAsciiLetter(unit) || isDigit(unit);
}

/** Whether a character may be part of an identifier, where `_` and `$` count as letters. */
export function isNamePart(unit: number): boolean {
  return isAlphanumeric(unit) || unit === 0x5f || unit === 0x24;
}

export function isHexDigit(unit: number): boolean {
  const lower = unit | 0x20;
  return isDigit(unit) || (lower >= 0x61 && lower <= 0x66);
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0;
}

export function isQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x27 || unit === 0x60;
}

export function isUpperHex(unit: number): boolean {
  return isHexDigit(unit) && unit < 0x61;
}

export function isOctal(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x37;
}

/** The number of hexadecimal digits at `at`, at most `most`. */
export function hexDigitsAt(units: Uint16Array, at: number, end: number, most: number): number {
  let count = 0;
  while (count < most && at + count < end && isHexDigit(units[at + count] as number)) count++;
  return count;
}

/** The first non-blank position at or after `at`, at most `most` further on. */
export function skipBlanks(units: Uint16Array, at: number, end: number, most: number): number {
  let next = at;
  while (next < end && next < at + most && isBlank(units[next] as number)) next++;
  return next;
}

/** The last non-blank position at or before `at`, at most `most` back; -1 before the text. */
export function skipBlanksBack(units: Uint16Array, at: number, most: number): number {
  let last = at;
  while (last >= 0 && last > at - most && isBlank(units[last] as number)) last--;
  return last;
}

/** Whether two stretches of the same length read alike. */
export function areAlike(units: Uint16Array, one: number, other: number, size: number): boolean {
  for (let i = 0; i < size; i++) if (units[one + i] !== units[other + i]) return false;
  return true;
}

export function textOfUnits(units: Uint16Array, length: number): string {
  return Buffer.from(units.buffer, units.byteOffset, length * 2).toString('utf16le');
}
