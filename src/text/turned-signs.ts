import { MARK } from './marks.ts';
import { isHexDigit, isOctal, isUpperHex } from './units.ts';

/**
 * Recognizes escapes written backwards, at the sign that ends them where it should begin them: `96%76%` is `%67%69`
 * backwards.
 */

/** How many characters of a kind come right before `at`, at most `most`. */
function before(units: Uint16Array, at: number, most: number, isOne: (unit: number) => boolean): number {
  let count = 0;
  while (count < most && at - count > 0 && isOne(units[at - count - 1] as number)) count++;
  return count;
}

/** Two reversed escapes in a row, digits before the sign: `96%76%`, `96=76=`. */
export function turnedPair(units: Uint16Array, at: number, digits: number, isOne: (unit: number) => boolean): number {
  return at > 2 * digits &&
    units[at - digits - 1] === units[at] &&
    before(units, at, digits, isOne) === digits &&
    before(units, at - digits - 1, digits, isOne) === digits
    ? MARK.turnedEscape
    : 0;
}

/** Reversed entities: `;501#&`, `;96x#&`. */
export function turnedEntity(units: Uint16Array, at: number): number {
  if (at < 4 || units[at - 1] !== 0x23) return 0;
  const last = at - (units[at - 2] === 0x78 ? 2 : 1);
  const digits = before(units, last, 5, isHexDigit);
  return digits >= 2 && units[last - digits - 1] === 0x3b ? MARK.turnedEscape : 0;
}

/** Before a backslash: `96x`, `9600u`, `}96{u`, or two groups of three octal digits. */
export function turnedEscape(units: Uint16Array, at: number): number {
  if (at < 3) return 0;
  const kind = units[at - 1] as number;
  let found = false;
  if (kind === 0x78 || kind === 0x75) {
    found = before(units, at - 1, 4, isHexDigit) >= (kind === 0x78 ? 2 : 4);
    if (units[at - 2] === 0x7b) {
      const digits = before(units, at - 2, 6, isHexDigit);
      found = digits >= 2 && units[at - 3 - digits] === 0x7d;
    }
  } else if (kind === 0x30 || kind === 0x31)
    found = at > 6 && units[at - 4] === 0x5c && isTurnedOctal(units, at) && isTurnedOctal(units, at - 4);
  return found ? MARK.turnedEscape : 0;
}

function isTurnedOctal(units: Uint16Array, at: number): boolean {
  const last = units[at - 1] as number;
  return (last === 0x30 || last === 0x31) && before(units, at - 1, 2, isOctal) === 2;
}

/** A reversed `U+0069`: `9600+U`. */
export function turnedPlus(units: Uint16Array, at: number, end: number): number {
  return at + 1 < end && units[at + 1] === 0x55 && before(units, at, 4, isUpperHex) === 4 ? MARK.turnedEscape : 0;
}
