/**
 * Letters beyond ASCII as small ones. By way of the capital, since several small ones may share one, and to the engine they
 * are all the same: the two of Greek sigma, and the Cyrillic letters of old prints.
 */
export const SMALLS = new Uint16Array(65_536);
for (let unit = 0; unit < SMALLS.length; unit += 1) SMALLS[unit] = unit < 128 || unit > 0x24ff ? unit : smallOf(unit);

function smallOf(unit: number): number {
  const char = String.fromCharCode(unit);
  const alike = [char.toUpperCase().toLowerCase(), char.toLowerCase()];
  return alike.find((small) => small.length === 1 && small > '\x7f')?.charCodeAt(0) ?? unit;
}
