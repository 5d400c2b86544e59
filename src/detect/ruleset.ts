import type { Problem } from '../domain/problem.ts';
import { isOperators } from '../domain/signature.ts';
import type { Matcher } from '../domain/signature.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { draftsOf, problemOf } from './drafts.ts';
import type { DraftRule } from './drafts.ts';
import type { Engines } from './engine/engines.ts';
import { createGlance } from './glance/glance.ts';
import type { Glance } from './glance/glance.ts';
import { NOTHING_KNOWN } from './patterns/known-atom.ts';
import type { Known } from './patterns/known-atom.ts';
import type { Atom, Rule } from './rule.ts';
import { createSets } from './engine/sets.ts';
import { shapesFinder, type ShapeSearch } from './shapes.ts';
import { waitingFor, waitingOf } from './glance/waiting.ts';

/**
 * Everything that one worker thread matches with. It is compiled once, never changes, and is replaced as a whole.
 *
 * Every pattern, key and group of a signature is an atom: a short pattern without gaps. A scan narrows down in steps:
 * the glance sees which rules have their words in a text, sets say which patterns of several occur in it, and the
 * expression of a single atom says whether and where that one matches.
 */
export interface Ruleset extends ShapeSearch {
  readonly count: number;
  readonly rules: readonly Rule[];
  readonly atoms: readonly Atom[];
  /**
   * The first look, which every text gets. It can exclude rules, but never decides that one matches. `plainGlance`
   * leaves out the rules for sensitive data.
   */
  readonly glance: Glance;
  readonly plainGlance: Glance;
  /**
   * Which of the wanted atoms occur in the bytes. The result may hold atoms that were not wanted, from the same sets.
   * Throws when the engine runs out of memory, and never answers "no match" instead.
   */
  readonly patternsIn: (bytes: Buffer, wanted: ReadonlySet<number>) => ReadonlySet<number>;
  /** The same for rules with proofs: the rules whose proofs are worth trying on these bytes. */
  readonly provableIn: (bytes: Buffer, wanted: ReadonlySet<Rule>) => ReadonlySet<Rule>;
  readonly occurs: (atom: number, bytes: Buffer) => boolean;
  /** The next match of one atom from byte offset `from` on, as byte offsets. */
  readonly find: (atom: number, bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | null;
  /** Whether a signature is one that the operator wrote. */
  readonly isOperators: (signature: string) => boolean;
  /** Whether there is a signature with this id. */
  readonly isSignature: (id: string) => boolean;
  /** Gives back memory of the engine, between two texts. */
  readonly engines: Pick<Engines<unknown>, 'forget' | 'made' | 'settle'>;
}

export type Compiled = { readonly ruleset: Ruleset } | { readonly problems: readonly Problem[] };

/**
 * Patterns per set. On text made of the beginnings of patterns, one set of all 322 keeps making new automaton states,
 * at 0.3 MB/s. Sets of 8 take a sixth of that time on the same text, and sets without a wanted pattern are skipped.
 */
const HANDFUL = 8;

/**
 * Compiles signatures, or lists everything that is wrong with them. `ready` is what the build has read from patterns.
 */
export function compile(
  signatures: readonly Matcher[],
  decoders: readonly Decoder[],
  ready: Known = NOTHING_KNOWN,
): Compiled {
  const { rules, atoms, engines, isTaken, problems } = draftsOf(signatures, ready);
  if (problems.length > 0) return { problems };

  /** For atoms that the glance has no word for: sets `present[atom]` to 1 for each that occurs in the bytes. */
  const marker = (members: readonly number[]): ((bytes: Buffer, present: Uint8Array) => void) | null => {
    const sets = createSets(sourcesOf(members), 'iu');
    return sets === null
      ? null
      : (bytes, present) => sets.match(bytes, (member) => void (present[members[member] as number] = 1));
  };
  const sourcesOf = (members: readonly number[]): string[] => members.map((atom) => (atoms[atom] as Atom).source);
  /**
   * A rule's patterns in a form that is fast in a set. A pattern that begins with a long character class is not, so the
   * rule's keys take its place.
   */
  const plausibilityOf = (rule: DraftRule): string[] => {
    const { made } = rule;
    const holdable = made.filter(({ beginsAnywhere }) => !beginsAnywhere);
    const flagged = holdable.map(({ source }) => (rule.signature.exact === true ? `(?-i:${source})` : source));
    return holdable.length === made.length ? flagged : [...flagged, ...sourcesOf(rule.patterns)];
  };
  const patterns = [...new Set(rules.flatMap((rule) => (rule.isProven ? [] : rule.patterns)))];
  const patternSources = sourcesOf(patterns);
  const patternSets = createSets(patternSources, 'iu', {
    size: HANDFUL,
    isTaken: (member) => isTaken(patternSources[member]!),
  });
  const provable = rules
    .filter((rule) => rule.isProven)
    .flatMap((rule) =>
      plausibilityOf(rule).map((source) => ({
        rule,
        source,
        taken:
          rule.made.every(({ source }) => isTaken(source)) &&
          rule.patterns.every((atom) => isTaken((atoms[atom] as Atom).source)),
      })),
    );
  const provableSets = createSets(
    provable.map(({ source }) => source),
    'iu',
    { size: HANDFUL, isTaken: (member) => provable[member]!.taken },
  );
  const waiting = waitingOf(atoms, rules);
  const glance = createGlance(waiting, marker);
  const isPlain = ({ signature }: Rule): boolean => signature.category !== 'sensitive-data';
  const plainGlance = createGlance(waitingFor(waiting, isPlain), marker);
  const shapesIn = shapesFinder(decoders);
  const ids = new Set(signatures.map(({ id }) => id));
  const operators = new Set(signatures.filter(isOperators).map(({ id }) => id));
  if (patternSets === null || provableSets === null || glance === null || plainGlance === null || shapesIn === null)
    return { problems: [problemOf(undefined, '', 'the signatures do not fit in memory even one by one')] };
  engines.withThem(patternSets.forget);
  engines.withThem(provableSets.forget);

  return {
    ruleset: {
      count: signatures.length,
      rules,
      atoms,
      decoders,
      patternsIn: (bytes, wanted) => {
        const found = new Set<number>();
        patternSets.match(
          bytes,
          (member) => found.add(patterns[member] as number),
          (member) => wanted.has(patterns[member] as number),
        );
        return found;
      },
      provableIn: (bytes, wanted) => {
        const ruleOf = (member: number): Rule => (provable[member] as { rule: Rule }).rule;
        const found = new Set<Rule>();
        provableSets.match(
          bytes,
          (member) => found.add(ruleOf(member)),
          (member) => wanted.has(ruleOf(member)),
        );
        return found;
      },
      glance,
      plainGlance,
      shapesIn,
      occurs: (atom, bytes) => {
        const single = engines.of(atom);
        single.lastIndex = 0;
        return single.test(bytes);
      },
      find: (atom, bytes, from) => {
        const single = engines.of(atom);
        single.lastIndex = from;
        const found = single.exec(bytes);
        return found === null ? null : { start: found.index, end: found.index + found[0].length };
      },
      isOperators: (signature) => operators.has(signature),
      isSignature: (id) => ids.has(id),
      engines,
    },
  };
}
