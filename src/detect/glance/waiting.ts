import { rarer } from '../patterns/groups.ts';
import type { Placed, Sought } from '../patterns/groups.ts';
import type { Key } from '../patterns/keys.ts';
import type { Atom, Rule } from '../rule.ts';
import { hashesOf } from './spot-kernel.ts';

/**
 * What each rule waits for in the first look. A rule waits for the rarest of its words, its trigger, and only around a
 * trigger are its other words asked about. A sign is a group of keys, of which one has to be spotted.
 */
export interface Waiting {
  readonly keys: readonly Key[];
  /** The hash of each key. */
  readonly hashes: Int32Array;
  /** For each sign, the indices of its keys in `keys`. */
  readonly keysOfSign: readonly Int32Array[];
  /** Patterns. Their other words are at most so many words away, on the side where the pattern has them. */
  readonly patterns: readonly PatternWait[];
  /** Groups whose words stand near each other, in any order. */
  readonly nears: readonly NearWait[];
  /** Groups whose words stand anywhere in one text. */
  readonly everywhere: readonly (Sight & { readonly signs: readonly number[] })[];
  /** Atoms without any word of their own: only the engine can see them. */
  readonly blind: readonly (Sight & { readonly atoms: readonly number[] })[];
}

/**
 * What a spotted key can be: a trigger of a pattern (`pattern`) or of words near each other (`near`), one of those
 * words (`met`), the first of words anywhere (`everywhere`), or a word that presence.ts asks about (`asked`).
 */
export const FLAG = { pattern: 1, near: 2, met: 4, everywhere: 8, asked: 16 } as const;

/** The part of a rule that was seen: one of its patterns, as the number of an atom, or its groups. */
export interface Sight {
  readonly rule: Rule;
  readonly what: number | 'near' | 'all';
  /**
   * Punctuation that the rule cannot match without: one mark of each list. Not asked of rules with proofs, which have
   * none here.
   */
  readonly marks: readonly (readonly string[])[];
}

/** A word of the same pattern, on the side where the pattern has it, and at most so many words away. */
export interface Beside {
  readonly sign: number;
  readonly before: boolean;
  readonly words: number;
}

export interface PatternWait extends Sight {
  readonly trigger: number;
  /** The rarest first: that one is missing most often. */
  readonly others: readonly Beside[];
  /** Most characters between the trigger and either end of the pattern, or of what proves it. */
  readonly reach: number;
}

export interface NearWait extends Sight {
  readonly trigger: number;
  /** The other words of the trigger's own group, where that group is one pattern. */
  readonly beside: readonly Beside[];
  readonly others: readonly number[];
  readonly reach: number;
}

/** Added to a reach: the word that was spotted may be longer in the text than in the pattern, and marks stand around it. */
const SLACK = 32;
/** A proof may be longer; what matches it is read from its beginning, and glance.ts widens to where that stands. */
const LONGEST_PROOF = 400;
/**
 * As many as the mask has bits in which meetings.ts notes what was met. More groups are not asked about in the first
 * look; the engine asks for all.
 */
const MOST_OTHERS = 8;
const CHARS_OF_A_WORD = 6;
/**
 * A word that is expected this often within reach tells nothing: `the` and `you` stand everywhere. Parts of words cost
 * more to spot than whole words, and have to tell more.
 */
const SURE = 3;
const SURE_OF_PARTS = 1;

export function waitingOf(atoms: readonly Atom[], rules: readonly Rule[]): Waiting {
  const numbers = new Map<Key, number>();
  const keys: Key[] = [];
  const numberOf = (key: Key): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, keys.length);
    return keys.push(key) - 1;
  };
  const signs = new Map<string, number>();
  /** The sign of each group, since rules share the groups of the patterns that they have in common. */
  const signOf = new Map<Sought, number>();
  const keysOfSign: Int32Array[] = [];
  const signFor = (sought: Sought): number => {
    const known = signOf.get(sought) ?? signByKeys(Int32Array.from(new Set(sought.keys.map(numberOf))).sort());
    signOf.set(sought, known);
    return known;
  };
  const signByKeys = (members: Int32Array): number => {
    const name = members.join();
    const known = signs.get(name);
    if (known !== undefined) return known;
    signs.set(name, keysOfSign.length);
    return keysOfSign.push(members) - 1;
  };

  const besideOf = (groups: readonly Placed[], trigger: Placed, reach: number): Beside[] => {
    const at = groups.indexOf(trigger);
    return groups
      .map((group, i) => ({ group, before: i < at, words: wordsBetween(groups, i, at) }))
      .filter(({ group, words }, i) => i !== at && tells(group, Math.min(words, reach / CHARS_OF_A_WORD)))
      .sort((a, b) => a.group.share * a.words - b.group.share * b.words)
      .map(({ group, before, words }) => ({ sign: signFor(group), before, words: Math.min(words, reach) }));
  };

  const marksOf = (rule: Rule, members: readonly number[]): (readonly string[])[] =>
    rule.isProven ? [] : members.flatMap((atom) => (atoms[atom]!.marks === null ? [] : [atoms[atom]!.marks]));

  const patterns: PatternWait[] = [];
  const nears: NearWait[] = [];
  const everywhere: (Sight & { readonly signs: readonly number[] })[] = [];
  const blind: (Sight & { readonly atoms: readonly number[] })[] = [];
  for (const rule of rules) {
    for (const atom of rule.patterns) {
      const { groups, max } = atoms[atom]!;
      const sight: Sight = { rule, what: atom, marks: marksOf(rule, [atom]) };
      if (groups === null) {
        blind.push({ ...sight, atoms: [atom] });
        continue;
      }
      const trigger = groups.reduce(rarer);
      // Where a key is spotted, the whole of what it suggests has to be tried.
      const reach = Math.max(max, Math.min(rule.longestProof, LONGEST_PROOF)) + SLACK;
      patterns.push({ ...sight, trigger: signFor(trigger), others: besideOf(groups, trigger, reach), reach });
    }
    for (const what of ['near', 'all'] as const) {
      const group = rule[what];
      if (group.length === 0) continue;
      const sight: Sight = { rule, what, marks: marksOf(rule, group) };
      const seen: Placed[] = group.flatMap((atom) => atoms[atom]!.groups ?? []);
      const [trigger, ...others] = seen.sort((a, b) => a.share - b.share);
      if (trigger === undefined) blind.push({ ...sight, atoms: group });
      else if (what === 'all') everywhere.push({ ...sight, signs: [trigger, ...others].map(signFor) });
      else {
        const reach = rule.span + 2 * widthOf(atoms, group) + SLACK;
        const own = group.map((atom) => atoms[atom]!.groups ?? []).find((groups) => groups.includes(trigger))!;
        const telling = others
          .filter((other) => !own.includes(other) && tells(other, reach / CHARS_OF_A_WORD))
          .slice(0, MOST_OTHERS);
        const beside = besideOf(own, trigger, reach);
        nears.push({ ...sight, trigger: signFor(trigger), beside, others: telling.map(signFor), reach });
      }
    }
  }
  return { keys, hashes: hashesOf(keys), keysOfSign, patterns, nears, everywhere, blind };
}

/** What some of the rules wait for, without any other key. */
export function waitingFor(all: Waiting, isFor: (rule: Rule) => boolean): Waiting {
  const keys: Key[] = [];
  const hashes: number[] = [];
  const numbers = new Int32Array(all.keys.length).fill(-1);
  const numberOf = (key: number): number => {
    if (numbers[key] === -1) {
      numbers[key] = keys.push(all.keys[key]!) - 1;
      hashes.push(all.hashes[key]!);
    }
    return numbers[key]!;
  };
  const keysOfSign: Int32Array[] = [];
  const signs = new Map<number, number>();
  const signFor = (sign: number): number => {
    const known = signs.get(sign) ?? keysOfSign.push(all.keysOfSign[sign]!.map(numberOf)) - 1;
    signs.set(sign, known);
    return known;
  };
  const besideOf = (beside: readonly Beside[]): Beside[] =>
    beside.map(({ sign, before, words }) => ({ sign: signFor(sign), before, words }));
  const wanted = <One extends Sight>(waits: readonly One[]): readonly One[] => waits.filter(({ rule }) => isFor(rule));
  return {
    keys,
    patterns: wanted(all.patterns).map(({ rule, what, marks, trigger, others, reach }) => {
      return { rule, what, marks, trigger: signFor(trigger), others: besideOf(others), reach };
    }),
    nears: wanted(all.nears).map(({ rule, what, marks, trigger, beside, others, reach }) => {
      const met = others.map(signFor);
      return { rule, what, marks, trigger: signFor(trigger), beside: besideOf(beside), others: met, reach };
    }),
    everywhere: wanted(all.everywhere).map(({ rule, what, marks, signs }) => {
      return { rule, what, marks, signs: signs.map(signFor) };
    }),
    blind: wanted(all.blind),
    keysOfSign,
    hashes: Int32Array.from(hashes),
  };
}

/** For each key, the bits of FLAG. */
export function flagsOf({ keys, keysOfSign, patterns, nears, everywhere }: Waiting): Uint8Array {
  const flags = new Uint8Array(keys.length);
  const flag = (sign: number, as: number): void => {
    for (const key of keysOfSign[sign]!) flags[key]! |= as;
  };
  for (const { trigger } of patterns) flag(trigger, FLAG.pattern);
  for (const { signs } of everywhere) flag(signs[0]!, FLAG.everywhere);
  for (const { trigger, others } of nears) {
    flag(trigger, FLAG.near);
    for (const other of others) flag(other, FLAG.met);
  }
  return flags;
}

/** Most words from the one that one group ends in to that of another, in either direction. */
function wordsBetween(groups: readonly Placed[], one: number, other: number): number {
  return groups.slice(Math.min(one, other) + 1, Math.max(one, other) + 1).reduce((sum, { apart }) => sum + apart, 0);
}

/** Whether a group is rare enough to tell something within this many words. */
function tells({ keys, share }: Sought, words: number): boolean {
  const ofParts = keys.some(({ kind }) => kind === 'prefix' || kind === 'suffix');
  return share * words < (ofParts ? SURE_OF_PARTS : SURE);
}

function widthOf(atoms: readonly Atom[], group: readonly number[]): number {
  return Math.max(0, ...group.map((atom) => atoms[atom]!.max));
}
