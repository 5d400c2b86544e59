import { beginsSeparator } from '../../text/separators.ts';

/**
 * The lower case of each UTF-16 unit beyond ASCII. It is found by way of the capital: several small letters may share
 * one, as both sigmas of Greek do, or the Cyrillic letters of old prints, and to the engine they are all the same. 0 for
 * what stands between words.
 */
export const SMALLS = new Uint16Array(65_536);
for (let unit = 0; unit < SMALLS.length; unit += 1)
  SMALLS[unit] = beginsSeparator(unit) ? 0 : unit < 128 || unit > 0x24ff ? unit : smallOf(unit);

function smallOf(unit: number): number {
  const char = String.fromCharCode(unit);
  const alike = [char.toUpperCase().toLowerCase(), char.toLowerCase()];
  return alike.find((small) => small.length === 1 && small > '\x7f')?.charCodeAt(0) ?? unit;
}
