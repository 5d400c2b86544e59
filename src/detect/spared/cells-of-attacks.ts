import { wordsOf } from './closed-words.ts';
import { isWholeOrder } from './quoted-attack.ts';

/**
 * `| 2 | ignore your rules | blocked |`: the report of a test has the famous wordings in its cells, and beside them what
 * became of each. Nothing but those wordings is left out, and only from a row that says so, below a head that names
 * payloads or attacks. That a row was rejected says nothing in a table of letters.
 */
export function withoutCellsOfAttacks(text: string): string {
  if (!VERDICT.test(text)) return text;
  const isOfAttacks = OF_ATTACKS.test(ROW_AT_FIRST.exec(text)?.[0] ?? '');
  let read = 0;
  return text.replace(ROW, (row) => {
    if (++read > MOST_ROWS || !(isOfAttacks || TESTED.test(row))) return row;
    const bar = row.includes('│') ? '│' : '|';
    const cells = row.split(bar);
    const isAttack = cells.map((cell) => isFamous(cell));
    const others = cells.filter((_, i) => !isAttack[i]);
    if (!others.some((cell) => VERDICT_OF_CELL.test(cell)) || others.some((cell) => cell.length > MOST_OF_CELL))
      return row;
    return cells.map((cell, i) => (isAttack[i] ? ' ' : cell)).join(bar);
  });
}

function isFamous(cell: string): boolean {
  if (cell.length > MOST_OF_CELL) return false;
  const words = wordsOf(cell);
  return words !== null && words.length > 0 && isWholeOrder(words);
}

const ROW = /^[ \t]*[|│][^\n]{1,400}[|│][ \t]*$/gmu;
const ROW_AT_FIRST = new RegExp(ROW.source, 'mu');
const OF_ATTACKS = /\b(?:payloads?|attacks?|injections?|jailbreaks?|adversarial)\b/iu;
const TESTED = /[|│]\s*\[(?:PASS|FAIL)\]/u;
const VERDICT = /\[(?:PASS|FAIL)\]|\b(?:blocked|refused|rejected|denied|flagged|detected)\b/iu;
/** The whole cell, or its beginning where the answer of the model follows. */
const VERDICT_OF_CELL = /^\s*(?:(?:blocked|refused|rejected|denied|flagged|detected)\s*$|\[(?:PASS|FAIL)\])/iu;
const MOST_OF_CELL = 120;
const MOST_ROWS = 200;
