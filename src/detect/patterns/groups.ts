import { beginningsIn } from './beginnings.ts';
import { keyOf } from './keys.ts';
import type { Key } from './keys.ts';

/** Keys of which any one must stand in the text. */
interface Group {
  readonly keys: readonly Key[];
  /** How often one of them is expected, for each word of honest text. */
  readonly share: number;
  /** Most words that begin in a literal up to the one that the key ends in, and after it. */
  readonly lead: number;
  readonly tail: number;
}

/** What the first look has to know of a group. */
export type Sought = Pick<Group, 'keys' | 'share'>;

/** A group with its distance to the one before it. */
export interface Placed extends Sought {
  /**
   * Most words that begin after the one that the previous group ends in, up to and with this group's own word. For the
   * first group, they are counted from the beginning of the pattern.
   */
  readonly apart: number;
}

/** One key of each group must stand in the text, in this order, and no farther apart. */
export type Groups = readonly Placed[];

/**
 * The groups of a part of a pattern, in order. At most `rest` words begin after the last group, or in the whole part
 * where there is none.
 */
export interface Parts {
  readonly groups: Groups;
  readonly rest: number;
}

/**
 * The groups of a part that matches one of `texts`. A mark is a blank in a literal, but in a text it may be a character
 * beyond ASCII, which counts as one more word.
 */
export function partsOf(texts: readonly string[], marks: number): Parts {
  const group = groupOf(texts);
  if (group === null) return { groups: [], rest: Math.max(0, ...texts.map(beginningsIn)) + marks };
  const { keys, share, lead, tail } = group;
  return { groups: [{ keys, share, apart: lead + marks }], rest: tail + marks };
}

/** Null when one of the literals has nothing to spot. */
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

/** Joins the parts of a pattern that follow one another. */
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

/** Of more groups, only the rarest are kept: the others would hardly rule out more texts. */
const MOST_GROUPS = 5;

/** The distance across a group that is left out is added to that of the next one. */
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

/** The group of a choice: each alternative brings one, and any key of any of them will do. */
export function eitherGroup(groups: readonly Sought[]): Sought {
  return {
    keys: groups.flatMap(({ keys }) => keys),
    share: groups.reduce((sum, { share }) => sum + share, 0),
  };
}

export function rarer<One extends Sought>(one: One | null, other: One): One {
  return one === null || other.share < one.share ? other : one;
}
