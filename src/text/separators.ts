/**
 * The characters beyond ASCII that stand between words and belong to none: spaces, punctuation, symbols and pictures. A
 * sender may put any of them where a blank should be, and a model reads the same sentence.
 *
 * Whole blocks are taken, with the few letters and digits in them (in circles, in squares, raised), because each range
 * that ends inside of a block makes the patterns of all signatures slower. Left out is what the engine takes for a
 * letter, since it ignores case: with the micro sign, or the signs of kelvin, ohm and angstrom (all among the letter-like
 * symbols), a class would match every `μ`, `k`, `ω` and `å`. What joins letters instead of separating words is left out
 * as well: the two joiners.
 */
const BLOCKS = [
  [0x80, 0xb4],
  [0xb6, 0xbf],
  [0x2000, 0x20ff],
  [0x2180, 0x2bff],
  [0x3000, 0x303f],
  [0xfe00, 0xfe3f],
] as const;
const JOINERS = [0x200c, 0x200d];

/** Pictures outside of the basic plane, and the first half of their surrogate pairs. */
const PICTURES = [0x1f000, 0x1ffff] as const;
const HALVES = [0xd83c, 0xd83f] as const;

/** Commas and full stops of single scripts. */
const OF_SCRIPTS = [0x5be, 0x60c, 0x61b, 0x61f, 0x6d4, 0x964, 0x965];

const WHOLE = 1;
const HALF = 2;
const SEPARATOR = new Uint8Array(65_536);
for (const [first, last] of BLOCKS) SEPARATOR.fill(WHOLE, first, last + 1);
for (const unit of OF_SCRIPTS) SEPARATOR[unit] = WHOLE;
for (const unit of JOINERS) SEPARATOR[unit] = 0;
SEPARATOR.fill(HALF, HALVES[0], HALVES[1] + 1);

/** Whether a UTF-16 unit is such a character. */
export function isSeparator(unit: number): boolean {
  return SEPARATOR[unit] === WHOLE;
}

/** Whether a UTF-16 unit is such a character, or the first half of one. */
export function beginsSeparator(unit: number): boolean {
  return SEPARATOR[unit] !== 0;
}

/**
 * For a class of RE2. The joiners are in it: without them, the block would be two ranges, and they stand inside of
 * pictures. The first look keeps them in its grams, but does not count them as words.
 */
export const SEPARATORS = [...BLOCKS, PICTURES, ...OF_SCRIPTS.map((code) => [code, code] as const)]
  .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
  .join('');

function escaped(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
