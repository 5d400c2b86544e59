import { describeTree, isMark, parseTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';

/**
 * The language that signatures are written in: RE2, with three conveniences that keep entries readable. A space
 * stands for any run of ASCII blanks and punctuation, so that "ignore **all** previous" needs no second entry; a dot for one
 * character that is no ASCII letter or digit, as in "don.?t"; and an edge that is an ASCII letter or digit is a word's edge. Anything that could not run in one pass over hostile text is refused
 * here: what costs too much must never depend on an author remembering it.
 */

/** ASCII blanks, controls and punctuation. Exotic spaces are plain ones by then: the folded reading maps them. */
const BLANK = String.raw`[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+`;

const MARK = '[^A-Za-z0-9]';

/** Characters that one atom may span. Slices of a long text overlap by more than this in bytes, so no hit falls between. */
const LONGEST_ATOM = 400;
const WIDEST_GAP = 3;
const MOST_REPEATS = 5;
const LONGEST_RUN = 80;

export type Atom =
  { readonly ok: true; readonly source: string; readonly tree: Tree } | { readonly ok: false; readonly reason: string };

/**
 * The engine takes an underscore for a letter; around a text it is a mark, as in `_this_`. Inside of `some_name` no word begins.
 * What proves has to match the value and nothing beside it.
 */
const EDGES = { first: String.raw`\b_{0,3}`, last: String.raw`_{0,3}\b` };
const BARE_EDGES = { first: String.raw`\b`, last: String.raw`\b` };

export function atomOf(written: string, isProof = false): Atom {
  const parsed = parseTree(written);
  if (!parsed.ok) return parsed;
  const reason = lint(parsed.tree);
  if (reason !== null) return { ok: false, reason };
  const { first, last } = describeTree(parsed.tree);
  const edges = isProof ? BARE_EDGES : EDGES;
  const source = `${first ? edges.first : ''}(?:${spacesToBlanks(written)})${last ? edges.last : ''}`;
  return { ok: true, source, tree: parsed.tree };
}

/** A space that is escaped or inside a class means itself. */
function spacesToBlanks(written: string): string {
  let out = '';
  let inClass = false;
  for (let i = 0; i < written.length; i++) {
    const char = written[i] as string;
    if (char === '\\') {
      out += char + (written[++i] ?? '');
      continue;
    }
    if (char === '[') inClass = true;
    if (char === ']') inClass = false;
    // In a group of its own where a count follows, for that count is the author's and must not become RE2's 'lazy'.
    const blank = '?*+{'.includes(written[i + 1] ?? '_') ? `(?:${BLANK})` : BLANK;
    if (inClass) out += char;
    else if (char === ' ') out += blank;
    else out += isMark(written, i) ? MARK : char;
  }
  return out;
}

function lint(tree: Tree): string | null {
  const { min, max } = describeTree(tree);
  if (min < 2) return 'matches fewer than 2 characters, so it would hit everywhere';
  if (max > LONGEST_ATOM) return `may span ${max} characters; the limit is ${LONGEST_ATOM}: split it into near groups`;
  const queue: Tree[] = [tree];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node.kind === 'sequence' || node.kind === 'choice') queue.push(...node.items);
    if (node.kind !== 'repeat') continue;
    const { item } = node;
    queue.push(item);
    if (item.kind === 'set' && item.wide && node.max > WIDEST_GAP)
      return 'holds a gap (a wide class repeated): counted gaps are slow on hostile text, use near groups instead';
    if (item.kind === 'set' && !item.blank && node.max > LONGEST_RUN)
      return `repeats a class more than ${LONGEST_RUN} times`;
    if (item.kind !== 'set' && item.kind !== 'char' && node.max > MOST_REPEATS)
      return `repeats a group more than ${MOST_REPEATS} times`;
    if (item.kind === 'char' && node.max > LONGEST_RUN) return `repeats a character more than ${LONGEST_RUN} times`;
  }
  return null;
}
