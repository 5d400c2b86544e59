import type { Key } from '../patterns/keys.ts';
import { atomOf } from '../patterns/pattern.ts';
import { sampleOf } from '../patterns/pattern-sample.ts';
import type { Tree } from '../patterns/pattern-tree.ts';
import type { Atom, Rule } from '../rule.ts';
import type { Ruleset } from '../ruleset.ts';

/**
 * Text written against a ruleset: made of what its rules look for, and stopping just short of what would end the
 * search. Matching is linear, but linear with a large factor is still a way to stop a proxy, and the sender may choose
 * the text. The CI gate, the command line and the benchmarks all use these texts, so that a figure means the same in
 * all three.
 *
 * A `Pick` returns a number from 0 up to, but not including, `choices`.
 */
export type Pick = (choices: number) => number;

/**
 * In which way a text is hostile: all groups of a rule but the last; patterns cut short; keys without a pattern;
 * matches that the check refuses; groups just too far apart; and the first group over and over.
 */
export const KINDS = ['triggers', 'broken off', 'keys', 'refused', 'out of reach', 'one trigger'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Makes text of each kind for one rule. Kinds for which the rule has no words are absent. Calls may return different
 * text.
 */
export type Phrases = Readonly<Partial<Record<Kind, (pick: Pick) => string>>>;

export function phrasesOf(ruleset: Ruleset, rule: Rule): Phrases {
  const { signature, near, all, proofs } = rule;
  const treeOf = (atom: number): Tree => treeOfAtom(ruleset.atoms[atom] as Atom);
  const patterns = treesOf(signature.patterns);
  const keys = treesOf(signature.keys ?? []);
  const groups = (near.length > 0 ? near : all).map(treeOf);
  return {
    // All groups but the last: the rule is suspected all the time and never matches.
    ...(groups.length > 1 ? { triggers: (pick) => each(groups.slice(0, -1), pick, ' ') } : {}),
    ...(near.length > 1
      ? {
          'out of reach': (pick) => each(groups, pick, ` ${filler(rule.span + 8)}`) + ` ${filler(rule.span + 8)}`,
          'one trigger': (pick) => sampleOf(groups[0] as Tree, pick),
        }
      : {}),
    ...(patterns.length > 0 ? { 'broken off': (pick) => cut(one(patterns, pick), pick) } : {}),
    ...(keys.length > 0 ? { keys: (pick) => one(keys, pick) } : {}),
    // Whole matches that the rule's check turns down: each is found, checked and dropped.
    ...(proofs.length > 0 && patterns.length > 0 ? { refused: (pick) => one(patterns, pick) } : {}),
  };
}

function treesOf(written: readonly string[]): Tree[] {
  return written.map((one) => atomOf(one)).flatMap((atom) => (atom.ok ? [atom.tree] : []));
}

function treeOfAtom({ written }: Atom): Tree {
  return { kind: 'choice', items: treesOf(written) };
}

function one(trees: readonly Tree[], pick: Pick): string {
  return sampleOf(trees[pick(trees.length)] as Tree, pick);
}

function each(trees: readonly Tree[], pick: Pick, glue: string): string {
  return trees.map((tree) => sampleOf(tree, pick)).join(glue);
}

/** Repeats a phrase up to a size. Where the phrase has choices, each repetition is different. */
export function repeated(next: () => string, size: number, glue = ' '): string {
  const parts: string[] = [];
  for (let length = 0; length < size;) {
    const part = `${next()}${glue}`;
    parts.push(part);
    length += Math.max(1, part.length);
  }
  return parts.join('').slice(0, size);
}

/**
 * Building blocks for a search for slow text: the phrases of all rules, their words alone, and both in encoded forms.
 */
export function fragmentsOf(ruleset: Ruleset, pick: Pick): string[] {
  const phrases = ruleset.rules.flatMap((rule) =>
    Object.values(phrasesOf(ruleset, rule)).flatMap((phrase) => [phrase(pick), phrase(pick)]),
  );
  const words = ruleset.atoms.flatMap((atom) =>
    (atom.groups ?? []).flatMap(({ keys }) => {
      const { text } = keys[pick(keys.length)] as Key;
      return [text, text.slice(0, -1)];
    }),
  );
  const encodings = ruleset.decoders.flatMap(({ examples }) => [
    ...examples.reads.map(([encoded]) => encoded.slice(0, 400)),
    ...examples.leaves.map((text) => text.slice(0, 400)),
  ]);
  const hidden = phrases
    .filter((_, i) => i % 7 === 0)
    .flatMap((phrase) => {
      const bytes = Buffer.from(phrase);
      return [bytes.toString('base64'), bytes.toString('hex'), percent(bytes), spaced(phrase)];
    });
  return [...new Set([...phrases, ...words, ...encodings, ...hidden])].filter((text) => text !== '');
}

function percent(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function spaced(text: string): string {
  return [...text].join(' ');
}

function filler(chars: number): string {
  return 'lorem '.repeat(Math.ceil(chars / 6));
}

function cut(text: string, pick: Pick): string {
  return text.slice(0, Math.max(1, text.length - 1 - pick(Math.min(8, text.length))));
}

/** Pseudorandom choices with a seed, so that a ruleset that passed once passes again. */
export function chooser(seed: number): Pick {
  let state = seed >>> 0;
  return (choices) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * choices);
  };
}
