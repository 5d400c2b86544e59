/**
 * Decides from the quick pass whether a text looks like rows of a list or a log. Prose has a third as many symbols, and
 * longer lines.
 */

/**
 * Rows have SIGNS ASCII symbols within AMONG characters, or LINES lines within AMONG_LINES. The symbols are checked at
 * every second one.
 */
const SIGNS = 12;
const AMONG = 120;
const STEP = 2;
const LINES = 5;
const AMONG_LINES = 200;

/**
 * `signs` are positions in a part of a text that is `size` characters long. Rows may continue beyond either end of the
 * part, so half as many symbols are enough there.
 */
export function areOfRows(signs: Uint16Array, count: number, size: number, isFirst: boolean, isLast: boolean): boolean {
  if (!isFirst && count >= SIGNS / 2 && (signs[SIGNS / 2 - 1] as number) < AMONG) return true;
  if (!isLast && count >= SIGNS / 2 && size - (signs[count - SIGNS / 2] as number) < AMONG) return true;
  for (let i = SIGNS - 1; i < count; i += STEP)
    if ((signs[i] as number) - (signs[i - SIGNS + 1] as number) < AMONG) return true;
  return false;
}

export function hasShortLines(text: string): boolean {
  let first = -1;
  for (let last = text.indexOf('\n'), lines = 1; last >= 0; last = text.indexOf('\n', last + 1), lines++) {
    if (lines < LINES) continue;
    if (last - first < AMONG_LINES) return true;
    first = text.indexOf('\n', first + 1);
  }
  return false;
}
