import type { Run } from './runs.ts';

const MOST_BETWEEN = 4;

/**
 * Where codes stand in a row, with no more between two of them than a few signs that `between` matches. Places alone, since
 * a text of megabytes may be one row.
 */
export function rowsOfCodes(text: string, code: RegExp, between: RegExp, least: number): Run[] {
  const rows: Run[] = [];
  let count = 0;
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (count >= least) rows.push({ start, end });
    count = 0;
  };
  for (const { 0: found, index } of text.matchAll(code)) {
    if (index - end > MOST_BETWEEN || !between.test(text.slice(end, index))) close();
    if (count === 0) start = index;
    count += 1;
    end = index + found.length;
  }
  close();
  return rows;
}
