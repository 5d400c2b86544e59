import type { Tree } from './pattern-tree.ts';

/**
 * Punctuation that a pattern cannot match without: the colon of a forged role, the bracket of a link. The first look is
 * for words and does not see punctuation. Looking for it where the words stand costs a tenth of asking the engine,
 * which mostly says no.
 */

/** More marks than this are hardly ever all absent. */
const MOST = 8;

/** Marks of which one stands in every match. Null when a match can do without. */
export function marksOf(tree: Tree): readonly string[] | null {
  switch (tree.kind) {
    case 'edge':
    case 'blank':
      return null;
    case 'char':
      return isPunctuation(tree.text) ? [tree.text] : null;
    case 'set':
      return tree.members?.every(isPunctuation) === true ? tree.members : null;
    case 'choice':
      return eitherOf(tree.items.map(marksOf));
    case 'repeat':
      return tree.min === 0 ? null : marksOf(tree.item);
    case 'sequence':
      return rarestOf(tree.items);
  }
}

/** The marks of a choice: every alternative adds its own. Null when one has none, or when there are too many. */
export function eitherOf(each: readonly (readonly string[] | null)[]): readonly string[] | null {
  const all = new Set<string>();
  for (const marks of each) {
    if (marks === null) return null;
    for (const mark of marks) all.add(mark);
  }
  return all.size === 0 || all.size > MOST ? null : [...all];
}

/**
 * The rarest marks of a sequence. Marks side by side are one, as in `](`. The longest, of the fewest, count as the
 * rarest.
 */
function rarestOf(items: readonly Tree[]): readonly string[] | null {
  let best: readonly string[] | null = null;
  let run = '';
  const offer = (marks: readonly string[] | null): void => {
    if (marks !== null && (best === null || rarity(marks) > rarity(best))) best = marks;
  };
  for (const item of items) {
    if (item.kind === 'char' && isPunctuation(item.text)) {
      run += item.text;
      continue;
    }
    if (run !== '') offer([run]);
    run = '';
    offer(marksOf(item));
  }
  if (run !== '') offer([run]);
  return best;
}

function rarity(marks: readonly string[]): number {
  return Math.min(...marks.map((mark) => mark.length)) / marks.length;
}

/** ASCII only. A character beyond it may have a capital, which a plain search would miss. */
function isPunctuation(char: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(char);
}
