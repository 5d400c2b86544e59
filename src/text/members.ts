import { textOfUnits } from './units.ts';

/**
 * Calls `found` with the code of each character from U+0080 on that a class holds, in the order of the classes. A class is
 * asked of one string of all characters, which it passes in runs: asked of each by itself it takes ten times as long, and
 * every thread does so before it is ready.
 */
export function eachMember(
  below: number,
  ...classes: readonly (readonly [runs: RegExp, found: (code: number) => void])[]
): void {
  const units = new Uint16Array(2 * below);
  let length = 0;
  for (let code = 0x80; code < below; code++) {
    // A half of a pair is no character.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (code > 0xffff) units[length++] = 0xd7c0 + (code >> 10);
    units[length++] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
  }
  const all = textOfUnits(units, length);
  for (const [runs, found] of classes)
    for (const [run] of all.matchAll(runs)) for (const char of run) found(char.codePointAt(0) as number);
}
