import { textOfUnits } from './units.ts';

/**
 * Calls `found` with each code point from U+0080 on that belongs to a character class, class by class. Each class is
 * matched, run by run, against one string of all characters. Testing every character by itself takes ten times as long,
 * and every thread does this at startup.
 */
export function eachMember(
  below: number,
  ...classes: readonly (readonly [runs: RegExp, found: (code: number) => void])[]
): void {
  const units = new Uint16Array(2 * below);
  let length = 0;
  for (let code = 0x80; code < below; code++) {
    // Surrogates are not characters.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
  }
  const all = textOfUnits(units, length);
  for (const [runs, found] of classes)
    for (const [run] of all.matchAll(runs)) for (const char of run) found(char.codePointAt(0) as number);
}
