import { beginningsIn } from './beginnings.ts';
import { keyOf } from './keys.ts';
import type { Key } from './keys.ts';

/** Any one of them must stand in the text. */
interface Group {
  readonly keys: readonly Key[];
  /** How much of honest text one of them is expected in. */
  readonly share: number;
  /** The words, at most, that begin in its literal up to the key, and after it. */
  readonly lead: number;
  readonly tail: number;
}

/** What of a group is waited for. */
export type Sought = Pick<Group, 'keys' | 'share'>;

/** A group in its place. */
export interface Placed extends Sought {
  /** The words, at most, that begin after the one that the group before it ends in, up to its own; of the first, from where the pattern begins. */
  readonly apart: number;
}

/** Of each group one must stand in the text, in this order, and no farther apart. */
export type Groups = readonly Placed[];

/** Groups in their order; what follows the last of them, or all of it where there is none, is `rest` words at most. */
export interface Parts {
  readonly groups: Groups;
  readonly rest: number;
}

/** A mark is a blank in a literal, and may be a character beyond ASCII in a text, which is one more. */
export function partsOf(texts: readonly string[], marks: number): Parts {
  const group = groupOf(texts);
  if (group === null) return { groups: [], rest: Math.max(0, ...texts.map(beginningsIn)) + marks };
  const { keys, share, lead, tail } = group;
  return { groups: [{ keys, share, apart: lead + marks }], rest: tail + marks };
}

/** Null when one of them has nothing to spot. */
function groupOf(texts: readonly string[]): Group | null {
  if (texts.length === 0) return null;
  const found = texts.map(keyOf);
  if (!found.every((one) => one !== null)) return null;
  return {
    keys: found.map(({ key }) => key),
    share: found.reduce((sum, { share }) => sum + share, 0),
    lead: Math.max(...found.map(({ lead }) => lead)),
    tail: Math.max(...found.map(({ tail }) => tail)),
  };
}

export function inOrder(all: readonly Parts[]): Parts {
  const groups: Placed[] = [];
  let passed = 0;
  for (const parts of all) {
    for (const [i, group] of parts.groups.entries())
      groups.push(i === 0 ? { ...group, apart: passed + group.apart } : group);
    passed = parts.groups.length === 0 ? passed + parts.rest : parts.rest;
  }
  return { groups, rest: passed };
}

/** More groups would hardly rule out more texts: of so many, the rarest are kept. */
const MOST_GROUPS = 5;

/** The way past what is left out is part of the way to what comes next. */
export function rarestOf(groups: Groups): Groups {
  if (groups.length <= MOST_GROUPS) return groups;
  const rarest = new Set([...groups].sort((a, b) => a.share - b.share).slice(0, MOST_GROUPS));
  const kept: Placed[] = [];
  let passed = 0;
  for (const group of groups) {
    passed += group.apart;
    if (!rarest.has(group)) continue;
    kept.push({ ...group, apart: passed });
    passed = 0;
  }
  return kept;
}

/** Whichever it is, it brings a group of its own. */
export function eitherGroup(groups: readonly Sought[]): Sought {
  return {
    keys: groups.flatMap(({ keys }) => keys),
    share: groups.reduce((sum, { share }) => sum + share, 0),
  };
}

export function rarer<One extends Sought>(one: One | null, other: One): One {
  return one === null || other.share < one.share ? other : one;
}
