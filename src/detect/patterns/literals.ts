import { beginningsOf, marksIn } from './beginnings.ts';
import { eitherGroup, inOrder, partsOf, rarer, rarestOf } from './groups.ts';
import type { Groups, Parts, Sought } from './groups.ts';
import { describeTree } from './pattern-shape.ts';
import type { Tree } from './pattern-tree.ts';

/**
 * Finds the plain words that a pattern cannot match without. A text in which none of them occurs is not worth asking
 * RE2 about, and finding words costs the same on every text.
 *
 * Literals are in lower case, with each run of blanks and punctuation as one space. A space at an edge of a literal
 * says that a word begins, or ends, there: the pattern `Ignore previous` has the literal `' ignore previous '`.
 */

/** With more variants than this, the parts of a pattern are looked at one by one. */
const MOST_WAYS = 48;

/** The words that each match of a pattern contains. Null when there are none: then only RE2 can tell. */
export function groupsOf(tree: Tree): Groups | null {
  // A word boundary counts as a blank: the text next to it begins, or ends, a word.
  const { first, last } = describeTree(tree);
  const { groups } = waysOf(tree, first, last).parts();
  return groups.length === 0 ? null : rarestOf(groups);
}

interface Ways {
  /** Everything that the tree can match, as literals; null when that is too much to list. */
  readonly exact: readonly string[] | null;
  /** Groups of which each match contains a key. Only called for a tree that is not listed as part of a larger one. */
  readonly parts: () => Parts;
  /** Every match ends in a blank or is empty: what follows begins a word if the tree itself stands where one begins. */
  readonly toBlank: boolean;
}

/** Turns a complete list of literals into `Ways`. */
type These = (exact: readonly string[]) => Ways;

/**
 * `opens` says that a word begins before the tree, `closes` that one ends behind it. Recursion is safe: parseTree
 * bounds the depth, and signatures are not sent by clients.
 */
function waysOf(tree: Tree, opens: boolean, closes: boolean): Ways {
  const these = (exact: readonly string[]): Ways => ({
    exact,
    parts: () =>
      partsOf(
        exact.map((text) => edged(text, opens, closes)),
        marksIn(tree),
      ),
    toBlank: exact.every((text) => text === '' || text.endsWith(' ')),
  });
  const unlisted = (toBlank: boolean): Ways => ({ exact: null, parts: () => nothingIn(tree), toBlank });
  switch (tree.kind) {
    case 'edge':
      return these([tree.ofWord ? ' ' : '']);
    case 'blank':
      return these([' ']);
    case 'char':
      return these([letter(tree.text)]);
    case 'set':
      if (tree.blank) return these([' ']);
      return tree.members === null ? unlisted(false) : these(unique(tree.members.map(letter)));
    case 'choice':
      return eitherOf(
        tree,
        tree.items.map((item) => waysOf(item, opens, closes)),
        these,
      );
    case 'sequence':
      return oneAfterTheOther(tree.items, opens, closes, these);
    case 'repeat': {
      const { item, min, max } = tree;
      // A run of blanks counts as one.
      if (isBlank(item)) return these(min === 0 ? ['', ' '] : [' ']);
      // One repetition follows another: a word at their edges is only whole where each begins, or ends, with a blank.
      const ends = closes && (max === 1 || beginsBlank([item], false));
      const spaced = waysOf(item, opens, ends);
      const one = max === 1 || spaced.toBlank ? spaced : waysOf(item, false, ends);
      if (max === 1 && min === 1) return one;
      if (max === 1 && one.exact !== null && one.exact.length < MOST_WAYS) return these(['', ...one.exact]);
      if (min === 0) return unlisted(one.toBlank);
      // The groups stand in the first repetition; the others may follow.
      const again = beginningsOf({ ...tree, min: 0, max: max - 1 }).most;
      const parts = (): Parts => ({ groups: one.parts().groups, rest: one.parts().rest + again });
      return { exact: null, parts, toBlank: one.toBlank };
    }
  }
}

function nothingIn(tree: Tree): Parts {
  return { groups: [], rest: beginningsOf(tree).most };
}

/** Whether the tree matches nothing but what a literal writes as a blank. */
function isBlank(tree: Tree): boolean {
  return (
    tree.kind === 'blank' ||
    (tree.kind === 'edge' && tree.ofWord) ||
    (tree.kind === 'set' && tree.blank) ||
    (tree.kind === 'char' && letter(tree.text) === ' ')
  );
}

/** Whether what the items match begins with a blank. Where the first item may be empty, the next one has to. */
function beginsBlank(items: readonly Tree[], closes: boolean): boolean {
  const first = items[0];
  if (first === undefined) return closes;
  if (isBlank(first)) return true;
  if (first.kind === 'choice') return first.items.every((item) => beginsBlank([item], false));
  if (first.kind === 'sequence') return beginsBlank([...first.items, ...items.slice(1)], closes);
  if (first.kind !== 'repeat' || !beginsBlank([first.item], false)) return false;
  return first.min > 0 || beginsBlank(items.slice(1), closes);
}

/** A character as the spotter sees it: a letter in lower case, a digit, or a blank for any other ASCII character. */
function letter(char: string): string {
  if (/^[\x00-\x7f]$/.test(char) && !/[A-Za-z0-9]/.test(char)) return ' ';
  const small = char.toLowerCase();
  // The lower case of `İ` is an i with a combining dot. Neither the engine nor the spotter treats them as equal.
  return small.length === char.length ? small : char;
}

function eitherOf(tree: Tree, items: readonly Ways[], these: These): Ways {
  const exact = items.every((item) => item.exact !== null) ? unique(items.flatMap((item) => item.exact!)) : null;
  if (exact !== null && exact.length <= MOST_WAYS * items.length) return these(exact);
  return {
    exact: null,
    parts: () => {
      const { rest } = nothingIn(tree);
      const each = items.map(({ parts }) => parts().groups.reduce<Sought | null>(rarer, null));
      return { groups: each.every((one) => one !== null) ? [{ ...eitherGroup(each), apart: rest }] : [], rest };
    },
    toBlank: items.every((item) => item.toBlank),
  };
}

/** Joins the literals of the items one after the other, and starts a new run where there would be too many variants. */
function oneAfterTheOther(items: readonly Tree[], opens: boolean, closes: boolean, these: These): Ways {
  const all: (() => Parts)[] = [];
  let run: readonly string[] = [''];
  let runOpens = opens;
  let marks = 0;
  let whole = true;
  let toBlank = true;
  const end = (texts: readonly string[], closed: boolean): void => {
    const literals = texts.map((text) => edged(text, runOpens, closed));
    const inRun = marks;
    all.push(() => partsOf(literals, inRun));
  };
  for (const [i, item] of items.entries()) {
    const begins = runOpens ? run.every((text) => text === '' || text.endsWith(' ')) : endInBlank(run);
    const ends = beginsBlank(items.slice(i + 1), closes);
    const ways = waysOf(item, begins, ends);
    // An item that may be empty ends as the text before it does.
    toBlank = ways.toBlank && (toBlank || ways.exact?.every((text) => text !== '') === true);
    const { exact } = ways;
    if (exact !== null && run.length * exact.length <= MOST_WAYS) {
      run = appended(run, exact);
      marks += marksIn(item);
      continue;
    }
    whole = false;
    // A cut inside a word would leave half a word on either side, so the run is cut at its last blank if it has one.
    const cut = exact === null ? null : cutAtWord(run);
    if (cut !== null && cut.tails.length * exact!.length <= MOST_WAYS) {
      end(cut.heads, false);
      run = appended(cut.tails, exact!);
      marks += marksIn(item);
      runOpens = false;
      continue;
    }
    end(run, beginsBlank(items.slice(i), closes));
    if (exact === null) all.push(ways.parts);
    runOpens = exact === null ? begins && ways.toBlank : begins;
    run = exact ?? [''];
    marks = exact === null ? 0 : marksIn(item);
  }
  if (whole) return these(run);
  end(run, closes);
  return { exact: null, parts: () => inOrder(all.map((parts) => parts())), toBlank };
}

function endInBlank(texts: readonly string[]): boolean {
  return texts.every((text) => text.endsWith(' '));
}

/** `edged('ignore', true, true)` is `' ignore '`. */
function edged(text: string, opens: boolean, closes: boolean): string {
  return close(`${opens ? ' ' : ''}${text}${closes ? ' ' : ''}`);
}

/** Adjacent blanks become one. */
function close(text: string): string {
  return text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text;
}

function appended(run: readonly string[], more: readonly string[]): string[] {
  return unique(run.flatMap((before) => more.map((after) => close(before + after))));
}

/** Splits each literal at its last blank, which both halves keep. Null when a literal has none. */
function cutAtWord(run: readonly string[]): { readonly heads: string[]; readonly tails: string[] } | null {
  if (!run.every((text) => text.includes(' '))) return null;
  const heads = unique(run.map((text) => text.slice(0, text.lastIndexOf(' ') + 1)));
  return { heads, tails: unique(run.map((text) => text.slice(text.lastIndexOf(' ')))) };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
