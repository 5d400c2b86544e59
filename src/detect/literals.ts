import { keyOf } from './keys.ts';
import type { Key } from './keys.ts';
import { describeTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';

/**
 * Which plain words a pattern cannot match without. A text in which none of them occurs is not worth asking RE2 about,
 * and finding words costs the same on every text. In lower case, a run of blanks and punctuation as one space; a space at
 * an edge says that a word begins, or ends, there.
 */

/** Beyond this many ways to write it, the parts of a pattern are looked at one by one. */
const MOST_WAYS = 48;

/** Any one of them must stand in the text. */
export interface Group {
  readonly texts: readonly string[];
  readonly keys: readonly Key[];
  /** How much of honest text one of them is expected in. */
  readonly share: number;
}

/** What of a group is waited for. */
export type Sought = Pick<Group, 'keys' | 'share'>;

/** Of each group one must stand in the text, in this order, and all of them within the length of the pattern. */
export type Groups = readonly Group[];

/** More groups would hardly rule out more texts: of so many, the rarest are kept. */
const MOST_GROUPS = 5;

/** Both looks of a ruleset, with sensitive data and without, ask about the same patterns. */
const known = new WeakMap<Tree, { readonly groups: Groups | null }>();

/** Null when there is no such word: then only RE2 can tell. */
export function groupsOf(tree: Tree): Groups | null {
  let found = known.get(tree);
  if (found === undefined) {
    // The edge of a word is like a blank there: what is next to it is the beginning, or the end, of a word.
    const { first, last } = describeTree(tree);
    const parts = waysOf(tree, first, last).parts();
    const rarest = new Set([...parts].sort((a, b) => a.share - b.share).slice(0, MOST_GROUPS));
    found = { groups: parts.length === 0 ? null : parts.filter((part) => rarest.has(part)) };
    known.set(tree, found);
  }
  return found.groups;
}

/** Null when one of them has nothing to spot. */
function groupOf(texts: readonly string[]): Group | null {
  if (texts.length === 0) return null;
  const keys: Key[] = [];
  let share = 0;
  for (const text of texts) {
    const found = keyOf(text);
    if (found === null) return null;
    keys.push(found.key);
    share += found.share;
  }
  return { texts, keys, share };
}

/** Whichever it is, it brings a group of its own. */
export function eitherGroup(groups: readonly Group[]): Group {
  return {
    texts: groups.flatMap(({ texts }) => texts),
    keys: groups.flatMap(({ keys }) => keys),
    share: groups.reduce((sum, { share }) => sum + share, 0),
  };
}

interface Ways {
  /** Everything that it can match; null when that is too much to list. */
  readonly exact: readonly string[] | null;
  /** One of each stands in everything that it matches. Asked only of what cannot be listed as part of something larger. */
  readonly parts: () => Groups;
  /** Whatever it matches ends in a blank, or is nothing: what follows begins a word if it did so before. */
  readonly toBlank: boolean;
}

/** Recursion is safe: parseTree bounded the depth, and signatures are not sent by clients. */
function waysOf(tree: Tree, opens: boolean, closes: boolean): Ways {
  const these = (exact: readonly string[]): Ways => ({
    exact,
    parts: () => groupsIn([exact.map((text) => edged(text, opens, closes))]),
    toBlank: exact.every((text) => text === '' || text.endsWith(' ')),
  });
  switch (tree.kind) {
    case 'edge':
      return these([tree.ofWord ? ' ' : '']);
    case 'blank':
      return these([' ']);
    case 'char':
      return these([letter(tree.text)]);
    case 'set':
      if (tree.blank) return these([' ']);
      return tree.members === null
        ? { exact: null, parts: () => [], toBlank: false }
        : these(unique(tree.members.map(letter)));
    case 'choice':
      return eitherOf(
        tree.items.map((item) => waysOf(item, opens, closes)),
        these,
      );
    case 'sequence':
      return oneAfterTheOther(tree.items, opens, closes, these);
    case 'repeat': {
      const { item, min, max } = tree;
      // A run of blanks is one.
      if (isBlank(item)) return these(min === 0 ? ['', ' '] : [' ']);
      const one = waysOf(item, opens && max === 1, closes && max === 1);
      if (max === 1 && min === 1) return one;
      if (max === 1 && one.exact !== null && one.exact.length < MOST_WAYS) return these(['', ...one.exact]);
      return { exact: null, parts: min === 0 ? () => [] : one.parts, toBlank: one.toBlank };
    }
  }
}

function isBlank(tree: Tree): boolean {
  return (
    tree.kind === 'blank' ||
    (tree.kind === 'edge' && tree.ofWord) ||
    (tree.kind === 'set' && tree.blank) ||
    (tree.kind === 'char' && letter(tree.text) === ' ')
  );
}

/** Whether what they match, one after the other, begins with a blank. */
function beginsBlank(items: readonly Tree[]): boolean {
  const first = items[0];
  if (first === undefined) return false;
  if (isBlank(first)) return true;
  if (first.kind === 'choice') return first.items.every((item) => beginsBlank([item]));
  if (first.kind === 'sequence') return beginsBlank([...first.items, ...items.slice(1)]);
  if (first.kind !== 'repeat' || !beginsBlank([first.item])) return false;
  return first.min > 0 || beginsBlank(items.slice(1));
}

/** Any mark that is no letter and no digit is a blank to the spotter, which reads all letters as small ones. */
function letter(char: string): string {
  return /^[\x00-\x7f]$/.test(char) && !/[A-Za-z0-9]/.test(char) ? ' ' : char.toLowerCase();
}

function eitherOf(items: readonly Ways[], these: (exact: readonly string[]) => Ways): Ways {
  const exact = items.every((item) => item.exact !== null) ? unique(items.flatMap((item) => item.exact!)) : null;
  if (exact !== null && exact.length <= MOST_WAYS * items.length) return these(exact);
  return {
    exact: null,
    parts: () => {
      const each = items.map(({ parts }) => parts().reduce<Group | null>(rarer, null));
      return each.every((one) => one !== null) ? [eitherGroup(each)] : [];
    },
    toBlank: items.every((item) => item.toBlank),
  };
}

export function rarer<One extends Sought>(one: One | null, other: One): One {
  return one === null || other.share < one.share ? other : one;
}

function oneAfterTheOther(
  items: readonly Tree[],
  opens: boolean,
  closes: boolean,
  these: (exact: readonly string[]) => Ways,
): Ways {
  const parts: Group[] = [];
  let run: readonly string[] = [''];
  let runOpens = opens;
  let whole = true;
  let toBlank = true;
  for (const [i, item] of items.entries()) {
    const isLast = i === items.length - 1;
    const begins = runOpens ? run.every((text) => text === '' || text.endsWith(' ')) : endInBlank(run);
    const ends = isLast ? closes : beginsBlank(items.slice(i + 1));
    const ways = waysOf(item, begins, ends);
    // What may be nothing ends as what stands before it does.
    toBlank = ways.toBlank && (toBlank || ways.exact?.every((text) => text !== '') === true);
    if (ways.exact !== null && run.length * ways.exact.length <= MOST_WAYS) {
      run = unique(run.flatMap((before) => ways.exact!.map((after) => close(before + after))));
      continue;
    }
    parts.push(...groupsIn([run.map((text) => edged(text, runOpens, false))]));
    if (ways.exact === null) parts.push(...ways.parts());
    runOpens = ways.exact === null ? begins && ways.toBlank : begins;
    run = ways.exact ?? [''];
    whole = false;
  }
  if (whole) return these(run);
  parts.push(...groupsIn([run.map((text) => edged(text, runOpens, closes))]));
  return { exact: null, parts: () => parts, toBlank };
}

function endInBlank(texts: readonly string[]): boolean {
  return texts.every((text) => text.endsWith(' '));
}

function edged(text: string, opens: boolean, closes: boolean): string {
  return close(`${opens ? ' ' : ''}${text}${closes ? ' ' : ''}`);
}

/** Two blanks that meet are one. */
function close(text: string): string {
  return text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text;
}

function groupsIn(lists: readonly (readonly string[])[]): Group[] {
  return lists.map(groupOf).filter((group) => group !== null);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
