import { eitherGroup, rarer } from './groups.ts';
import type { Groups, Sought } from './groups.ts';
import { groupsOf } from './literals.ts';
import { atomOf } from './pattern.ts';
import { describeTree } from './pattern-tree.ts';
import type { Tree } from './pattern-tree.ts';
import { eitherOf, marksOf } from './required-marks.ts';

/** All that follows from the patterns of an atom alone, whichever signature they stand in. */
export interface KnownAtom {
  readonly source: string;
  /** Characters of its longest match. */
  readonly max: number;
  /** The words that it cannot match without, in their order. Null when there are none: then only RE2 can tell. */
  readonly groups: Groups | null;
  /** Punctuation of which one stands in each of its matches. Null when it can do without. */
  readonly marks: readonly string[] | null;
}

/** The same of a pattern that proves what keys, or a check, only suspect. */
export interface KnownProof {
  readonly source: string;
  readonly beginsAnywhere: boolean;
}

/** What the build has read already; absent, all of it is read from the patterns again. */
export interface Known {
  readonly atom: (written: readonly string[], exact: boolean) => KnownAtom | undefined;
  readonly proof: (written: string) => KnownProof | undefined;
}

export const NOTHING_KNOWN: Known = { atom: () => undefined, proof: () => undefined };

/** `refused` gets what is wrong with each of the alternatives that are no patterns. */
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
    max: trees.reduce((most, tree) => Math.max(most, describeTree(tree).max), 0),
    groups: groupsOfAll(trees),
    marks: eitherOf(trees.map(marksOf)),
  };
}

/** Of several alternatives each brings its rarest words, and they are one group. */
function groupsOfAll(trees: readonly Tree[]): Groups | null {
  const each = trees.map(groupsOf);
  if (each.length === 1) return each[0]!;
  const rarest = each.map((groups) => groups?.reduce<Sought | null>(rarer, null) ?? null);
  if (rarest.length === 0 || !rarest.every((one) => one !== null)) return null;
  return [{ ...eitherGroup(rarest), apart: 0 }];
}

export function readProof(written: string): ({ readonly ok: true } & KnownProof) | { ok: false; reason: string } {
  const made = atomOf(written, true);
  return made.ok ? { ok: true, source: made.source, beginsAnywhere: beginsAnywhere(made.tree) } : made;
}

const LONG_CLASS = 14;

/** A counted class at the beginning means a state for each character at which the match may have begun: 2 MB/s, measured. */
function beginsAnywhere(tree: Tree): boolean {
  if (tree.kind === 'sequence') return tree.items.length > 0 && beginsAnywhere(tree.items[0] as Tree);
  if (tree.kind === 'choice') return tree.items.some(beginsAnywhere);
  return tree.kind === 'repeat' && tree.item.kind === 'set' && tree.max >= LONG_CLASS;
}
