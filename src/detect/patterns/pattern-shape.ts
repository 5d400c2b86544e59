import type { Tree } from './pattern-tree.ts';

const WORD = /^[A-Za-z0-9_]$/;

/** Longer runs of blanks are padding, which is collapsed before the length of a match could matter. */
const WIDEST_BLANK = 2;

/** How long the matches of a pattern are, in characters, and what they begin and end with. */
export interface Shape {
  readonly min: number;
  /** A run of blanks counts as one character, as its author wrote it. */
  readonly max: number;
  /** The same with every run of blanks as long as it can get in a text whose padding is collapsed. */
  readonly widest: number;
  /** Whether the first, or the last, character of each match is an ASCII letter, digit or underscore. */
  readonly first: boolean;
  readonly last: boolean;
}

const described = new WeakMap<Tree, Shape>();

/** Cached, since every reader asks this of the same tree and of its parts. */
export function describeTree(tree: Tree): Shape {
  let shape = described.get(tree);
  if (shape === undefined) {
    shape = shapeOf(tree);
    described.set(tree, shape);
  }
  return shape;
}

/** Recursion is safe: parseTree bounds the depth, and signatures are not sent by clients. */
function shapeOf(tree: Tree): Shape {
  switch (tree.kind) {
    case 'edge':
      return { min: 0, max: 0, widest: 0, first: false, last: false };
    case 'blank':
      return { min: 1, max: 1, widest: WIDEST_BLANK, first: false, last: false };
    case 'set': {
      const ofWord = tree.members !== null && tree.members.every((member) => WORD.test(member));
      return { min: 1, max: 1, widest: 1, first: ofWord, last: ofWord };
    }
    case 'char':
      return { min: 1, max: 1, widest: 1, first: WORD.test(tree.text), last: WORD.test(tree.text) };
    case 'choice': {
      const all = tree.items.map(describeTree);
      return {
        min: Math.min(...all.map((one) => one.min)),
        max: Math.max(...all.map((one) => one.max)),
        widest: Math.max(...all.map((one) => one.widest)),
        first: all.every((one) => one.first),
        last: all.every((one) => one.last),
      };
    }
    case 'sequence': {
      const all = tree.items.map(describeTree);
      return {
        min: all.reduce((sum, one) => sum + one.min, 0),
        max: all.reduce((sum, one) => sum + one.max, 0),
        widest: all.reduce((sum, one) => sum + one.widest, 0),
        first: edgeIsWord(all, 'first'),
        last: edgeIsWord(all.toReversed(), 'last'),
      };
    }
    case 'repeat': {
      const one = describeTree(tree.item);
      const endless = tree.max === Infinity && tree.item.kind === 'set' && tree.item.blank;
      return {
        min: one.min * tree.min,
        max: endless ? 1 : one.max * tree.max,
        widest: endless ? WIDEST_BLANK : one.widest * tree.max,
        first: one.first,
        last: one.last,
      };
    }
  }
}

/**
 * Whether matches begin, or end, with a word character. An optional part at the edge must do so, and so must whatever
 * takes its place when it is absent.
 */
function edgeIsWord(parts: readonly Shape[], edge: 'first' | 'last'): boolean {
  for (const part of parts) {
    if (!part[edge]) return false;
    if (part.min > 0) return true;
  }
  return false;
}
