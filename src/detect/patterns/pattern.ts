import { SEPARATORS } from '../../text/separators.ts';
import { describeTree } from './pattern-shape.ts';
import { classEnd, isMark, parseTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';

/**
 * The language of signatures: RE2 syntax, with four conveniences that keep entries readable.
 * - A space matches any run of whitespace, punctuation and pictures: "ignore **all** previous" and "ignore — all …
 *   previous" need no entry of their own.
 * - A dot matches one character that is not an ASCII letter or digit, as in "don.?t".
 * - `$` is the end of the text, or blanks before it.
 * - An ASCII letter or digit at the edge of a pattern is at the edge of a word.
 *
 * Whatever could not run in one pass over hostile text is refused here: that a pattern costs too much must never depend
 * on an author remembering it.
 */

/** All of ASCII but letters and digits, and what else stands between words. */
const BLANK = String.raw`[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f${SEPARATORS}]+`;

/**
 * Stands for BLANK in sources: two thirds of all of them would be this class, and each thread keeps thousands. A pattern
 * that holds this character itself is refused.
 */
const BLANK_MARK = '\u007f';

/** The source in the form that RE2 takes. */
export function inFull(source: string): string {
  return source.replaceAll(BLANK_MARK, BLANK);
}

/** What the end of a text compiles to: files and shells leave a line end behind it. */
const END = String.raw`\s*$`;

/** What a dot compiles to. */
const MARK = '[^A-Za-z0-9]';

/**
 * Most characters of an atom. Slices of a long text overlap by more bytes than this, so no match is lost between
 * slices.
 */
const LONGEST_ATOM = 400;
const WIDEST_GAP = 3;
const MOST_REPEATS = 5;
const LONGEST_RUN = 80;

export type Atom =
  { readonly ok: true; readonly source: string; readonly tree: Tree } | { readonly ok: false; readonly reason: string };

/**
 * Word boundaries. To the engine an underscore is a letter, but around a text it is a mark, as in `_this_`. No word
 * begins inside `some_name`.
 */
const EDGES = { first: String.raw`\b_{0,3}`, last: String.raw`_{0,3}\b` };
/** Those of a proof, which has to match the value and nothing beside it. */
const BARE_EDGES = { first: String.raw`\b`, last: String.raw`\b` };

/** Compiles a pattern as its author wrote it: `no rules` becomes, in full, `\b_{0,3}(?:no[...]+rules)_{0,3}\b`. */
export function atomOf(written: string, isProof = false): Atom {
  if (written.includes(BLANK_MARK)) return { ok: false, reason: 'holds the character U+007F: write it as \\x7f' };
  const parsed = parseTree(written);
  if (!parsed.ok) return parsed;
  const reason = lint(parsed.tree);
  if (reason !== null) return { ok: false, reason };
  const { first, last } = describeTree(parsed.tree);
  const edges = isProof ? BARE_EDGES : EDGES;
  const source = `${first ? edges.first : ''}(?:${spacesToBlanks(written, isProof)})${last ? edges.last : ''}`;
  return { ok: true, source, tree: parsed.tree };
}

/**
 * Replaces spaces, dots and ends by what they stand for. A space that is escaped or inside a class means itself, and the
 * end of a proof is that of the value.
 */
function spacesToBlanks(written: string, isProof: boolean): string {
  let out = '';
  for (let i = 0; i < written.length; i++) {
    const char = written[i] as string;
    if (char === '\\') {
      out += char + (written[++i] ?? '');
      continue;
    }
    if (char === '[') {
      const end = classEnd(written, i);
      out += written.slice(i, end + 1);
      i = end;
      continue;
    }
    // In a group of its own where a quantifier follows, so that it applies to the whole class and does not turn the `+`
    // lazy.
    const blank = '?*+{'.includes(written[i + 1] ?? '_') ? `(?:${BLANK_MARK})` : BLANK_MARK;
    if (char === ' ') out += blank;
    else if (char === '$' && !isProof) out += END;
    else out += isMark(written, i) ? MARK : char;
  }
  return out;
}

/** Why a pattern is refused, or null. */
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
