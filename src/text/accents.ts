import { fold } from './fold.ts';
import { SCRATCH, USUAL, textOfBytes, textOfUnits, unitsOf } from './units.ts';
import { VOWEL_SIGNS } from './vowel-signs.ts';

/**
 * For text in which nothing is hidden: quotes, dashes and spaces as ASCII has them, and letters without their accents or, in
 * Arabic, their vowel signs. Other scripts stay as they are.
 */
export function lightly(text: string): string {
  const { length } = text;
  if (length <= USUAL) return piece(text);
  const pieces: string[] = [];
  for (let from = 0; from < length; from += USUAL) pieces.push(piece(text.slice(from, from + USUAL)));
  return pieces.join('');
}

/** By names of this module's own: a loop over arrays that may be any takes four times as long. */
const TEXT = SCRATCH;
const OUT = new Uint16Array(USUAL);

function piece(text: string): string {
  unitsOf(text);
  const { length } = text;
  let size = 0;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const unit = TEXT[i] as number;
    const plain = unit < 0x80 ? unit : (LIGHT[unit] as number);
    OUT[size] = plain;
    size += plain === 0 && unit !== 0 ? 0 : 1;
    bits |= plain;
  }
  return bits < 0x100 ? textOfBytes(OUT, size) : textOfUnits(OUT, size);
}

/** Latin letters, punctuation and spaces: the one character that each folds to. Nothing for a vowel sign. */
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
