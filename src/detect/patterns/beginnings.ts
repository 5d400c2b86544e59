import type { Tree } from './pattern-tree.ts';

/**
 * How many words begin inside a match of a pattern, at most: that is how far apart, counted in words, two words of the
 * pattern can stand. In words and not in characters, since a blank of a pattern is a run of any length. Words are
 * counted as the spotter counts them: a run of ASCII letters and digits is one, and each UTF-16 unit beyond ASCII is
 * one more, but for those between words in a text.
 */
export interface Beginnings {
  readonly most: number;
  /** Every match ends inside a word, so that a letter next to it begins no new word. */
  readonly endsInside: boolean;
}

/** Recursion is safe: parseTree bounded the depth, and signatures are not sent by clients. */
export function beginningsOf(tree: Tree, isInside = false): Beginnings {
  switch (tree.kind) {
    case 'edge':
      return { most: 0, endsInside: isInside };
    case 'blank':
      return { most: 0, endsInside: false };
    case 'char':
      return ofOne([tree.text], isInside);
    case 'set':
      if (tree.members !== null) return ofOne(tree.members, isInside);
      return { most: tree.blank && !tree.wide ? 0 : MOST_UNITS, endsInside: false };
    case 'choice': {
      const each = tree.items.map((item) => beginningsOf(item, isInside));
      return { most: Math.max(...each.map(({ most }) => most)), endsInside: each.every((one) => one.endsInside) };
    }
    case 'sequence': {
      let sum = 0;
      let endsInside = isInside;
      for (const item of tree.items) {
        const next = beginningsOf(item, endsInside);
        sum += next.most;
        endsInside = next.endsInside;
      }
      return { most: sum, endsInside };
    }
    case 'repeat': {
      const first = beginningsOf(tree.item, isInside);
      const again = beginningsOf(tree.item, first.endsInside).most;
      return {
        most: tree.max === 0 ? 0 : first.most + (again === 0 ? 0 : again * (tree.max - 1)),
        endsInside: first.endsInside && (tree.min > 0 || isInside),
      };
    }
  }
}

/** How many words begin in a literal, as literals.ts writes it. */
export function beginningsIn(literal: string): number {
  return literal.match(/[a-z0-9]+|[^\x00-\x7f]/gi)?.length ?? 0;
}

/** How many words the marks of a match may count as, at most: each may be a character beyond ASCII. */
export function marksIn(tree: Tree): number {
  switch (tree.kind) {
    case 'set':
      return tree.blank && tree.wide ? MOST_UNITS : 0;
    case 'choice':
      return Math.max(...tree.items.map(marksIn));
    case 'sequence':
      return tree.items.reduce((sum, item) => sum + marksIn(item), 0);
    case 'repeat': {
      const each = marksIn(tree.item);
      return each === 0 ? 0 : each * tree.max;
    }
    case 'edge':
    case 'blank':
    case 'char':
      return 0;
  }
}

/** A character may be two UTF-16 units. */
const MOST_UNITS = 2;

function ofOne(chars: readonly string[], isInside: boolean): Beginnings {
  const ofWords = chars.every((char) => /^[A-Za-z0-9]$/.test(char));
  return { most: ofWords && isInside ? 0 : Math.max(...chars.map(beginningsIn)), endsInside: ofWords };
}
