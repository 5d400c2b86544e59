import { fold } from './fold.ts';
import { textOfUnits, unitsOf } from './units.ts';
import { VOWEL_SIGNS } from './vowel-signs.ts';

/**
 * A light fold for text in which nothing is hidden: quotes, dashes and spaces become ASCII, letters lose their accents
 * and Arabic loses its vowel signs. Other scripts stay as they are: `naïve – “a”` -> `naive - "a"`.
 */
export function lightly(text: string): string {
  const units = unitsOf(text);
  const out = new Uint16Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = units[i] as number;
    const plain = LIGHT[unit] as number;
    if (plain !== 0 || unit === 0) out[length++] = plain;
  }
  return textOfUnits(out, length);
}

/**
 * For each code unit the one character it folds to: Latin letters, punctuation and spaces. 0 for a vowel sign, which is
 * dropped.
 */
const LIGHT = lights();

function lights(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) table[unit] = unit;
  for (const [first, last] of [
    [0x80, 0x24f],
    [0x1e00, 0x206f],
    [0x2212, 0x2212],
    [0x3000, 0x3000],
  ] as const) {
    for (let unit = first; unit <= last; unit++) {
      const plain = fold(String.fromCharCode(unit));
      if (plain.length === 1) table[unit] = plain.charCodeAt(0);
    }
  }
  for (const unit of VOWEL_SIGNS) table[unit] = 0;
  return table;
}
