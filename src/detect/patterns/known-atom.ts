import { eitherGroup, rarer } from './groups.ts';
import type { Groups, Sought } from './groups.ts';
import { groupsOf } from './literals.ts';
import { atomOf } from './pattern.ts';
import { describeTree } from './pattern-shape.ts';
import type { Tree } from './pattern-tree.ts';
import { eitherOf, marksOf } from './required-marks.ts';

/** Everything that follows from the patterns of an atom alone, whichever signatures they belong to. */
export interface KnownAtom {
  /** For RE2, once it is written in full (pattern.ts). */
  readonly source: string;
  /** Length of the longest match, in characters, in a text whose padding is collapsed. */
  readonly max: number;
  /** Words without which the atom cannot match, in their order. Null when there are none: then only RE2 can tell. */
  readonly groups: Groups | null;
  /** Punctuation of which at least one mark stands in each match. Null when a match can do without. */
  readonly marks: readonly string[] | null;
}

/** The same for a proof: the pattern that confirms what keys, or a pattern with a check, only suggest. */
export interface KnownProof {
  readonly source: string;
  /** The pattern begins with a long character class, which makes it slow in a set. */
  readonly beginsAnywhere: boolean;
  /** Length of the longest match, in characters. */
  readonly max: number;
}

/** What the build has read already. A pattern for which this returns undefined is read again. */
export interface Known {
  readonly atom: (written: readonly string[], exact: boolean) => KnownAtom | undefined;
  readonly proof: (written: string) => KnownProof | undefined;
}

export const NOTHING_KNOWN: Known = { atom: () => undefined, proof: () => undefined };

/** Reads the alternatives of an atom. `refused` is called with each that is not a valid pattern, and the reason. */
export function readAtom(
  written: readonly string[],
  exact: boolean,
  refused: (written: string, reason: string) => void,
): KnownAtom {
  const parts: string[] = [];
  const trees: Tree[] = [];
  for (const one of written) {
    const made = atomOf(one);
    if (made.ok) {
      parts.push(exact ? `(?-i:${made.source})` : made.source);
      trees.push(made.tree);
    } else refused(one, made.reason);
  }
  return {
    source: parts.length === 1 ? (parts[0] as string) : `(?:${parts.join('|')})`,
    max: trees.reduce((most, tree) => Math.max(most, describeTree(tree).widest), 0),
    groups: groupsOfAll(trees),
    marks: eitherOf(trees.map(marksOf)),
  };
}

/**
 * The words required by a choice of alternatives: the rarest group of each, joined to one. Null when one has no group.
 */
function groupsOfAll(trees: readonly Tree[]): Groups | null {
  const each = trees.map(groupsOf);
  if (each.length === 1) return each[0]!;
  const rarest = each.map((groups) => groups?.reduce<Sought | null>(rarer, null) ?? null);
  if (rarest.length === 0 || !rarest.every((one) => one !== null)) return null;
  return [{ ...eitherGroup(rarest), apart: 0 }];
}

export function readProof(written: string): ({ readonly ok: true } & KnownProof) | { ok: false; reason: string } {
  const made = atomOf(written, true);
  if (!made.ok) return made;
  const { source, tree } = made;
  return { ok: true, source, beginsAnywhere: beginsAnywhere(tree), max: describeTree(tree).max };
}

const LONG_CLASS = 14;

/**
 * A counted class at the beginning, as in `[a-z0-9]{20}`, costs the automaton a state for each character at which the
 * match may have begun: 2 MB/s, measured.
 */
function beginsAnywhere(tree: Tree): boolean {
  if (tree.kind === 'sequence') return tree.items.length > 0 && beginsAnywhere(tree.items[0] as Tree);
  if (tree.kind === 'choice') return tree.items.some(beginsAnywhere);
  return tree.kind === 'repeat' && tree.item.kind === 'set' && tree.max >= LONG_CLASS;
}
