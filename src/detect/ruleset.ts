import type { Matcher, Problem } from '../domain/signature.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { draftsOf, problemOf } from './drafts.ts';
import type { DraftRule } from './drafts.ts';
import type { Engines } from './engines.ts';
import { createGlance } from './glance.ts';
import type { Glance } from './glance.ts';
import { NOTHING_KNOWN } from './known-atom.ts';
import type { Known } from './known-atom.ts';
import type { Atom, Rule } from './rule.ts';
import { createSets } from './sets.ts';
import { shapesFinder } from './shapes.ts';
import { waitingFor, waitingOf } from './waiting.ts';

/**
 * What one worker matches with: compiled once, immutable, swapped whole. Everything that any
 * signature needs is an atom: a short pattern without gaps. One set answers "which atoms occur" in a single pass;
 * where they stand is asked of single expressions, and only for signatures whose atoms all occurred.
 */
export interface Ruleset {
  readonly count: number;
  readonly rules: readonly Rule[];
  readonly atoms: readonly Atom[];
  readonly decoders: readonly Decoder[];
  /** The first look, which every text gets: it rules out, and never decides. With sensitive data or without. */
  readonly glance: Glance;
  readonly plainGlance: Glance;
  /**
   * Which of the wanted patterns occur in the bytes, and perhaps others of rules without proofs. Throws when the engine
   * runs out of memory; it never answers "no match" then.
   */
  readonly patternsIn: (bytes: Buffer, wanted: ReadonlySet<number>) => ReadonlySet<number>;
  /** The same for rules with proofs: those that are worth trying. */
  readonly provableIn: (bytes: Buffer, wanted: ReadonlySet<Rule>) => ReadonlySet<Rule>;
  /** Decoders that go by their shape, and whose shape occurs in the bytes, by index. The others go by a hint. */
  readonly shapesIn: (bytes: Buffer) => number[];
  readonly occurs: (atom: number, bytes: Buffer) => boolean;
  /** The next place of one atom, in bytes. */
  readonly find: (atom: number, bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | null;
  /** Between two texts: what of the engine's memory is given back. */
  readonly engines: Pick<Engines<unknown>, 'settle' | 'forget'>;
}

export type Compiled = { readonly ruleset: Ruleset } | { readonly problems: readonly Problem[] };

/**
 * Patterns in one set. In a text that is made of the beginnings of patterns, a set of all of them makes states without end,
 * at 0.3 MB/s for 322 of them; in sets of 8 the same takes a sixth of the time, and those that nobody wants are not asked.
 */
const HANDFUL = 8;

export function compile(
  signatures: readonly Matcher[],
  decoders: readonly Decoder[],
  ready: Known = NOTHING_KNOWN,
): Compiled {
  const { rules, atoms, engines, isTaken, problems } = draftsOf(signatures, ready);
  if (problems.length > 0) return { problems };

  const marker = (members: readonly number[]): ((bytes: Buffer, present: Uint8Array) => void) | null => {
    const sets = createSets(sourcesOf(members), 'iu');
    return sets === null
      ? null
      : (bytes, present) => sets.match(bytes, (member) => void (present[members[member] as number] = 1));
  };
  const sourcesOf = (members: readonly number[]): string[] => members.map((atom) => (atoms[atom] as Atom).source);
  /** A rule's patterns as a set can hold them: one that begins with a long class is there with the rule's keys instead. */
  const plausibilityOf = (rule: DraftRule): string[] => {
    const { made } = rule;
    const holdable = made.filter(({ beginsAnywhere }) => !beginsAnywhere);
    const flagged = holdable.map(({ source }) => (rule.signature.exact === true ? `(?-i:${source})` : source));
    return holdable.length === made.length ? flagged : [...flagged, ...sourcesOf(rule.patterns)];
  };
  const patterns = [...new Set(rules.flatMap((rule) => (rule.isProven ? [] : rule.patterns)))];
  const patternSources = sourcesOf(patterns);
  const patternSets = createSets(patternSources, 'iu', HANDFUL, (member) => isTaken(patternSources[member]!));
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
    HANDFUL,
    (member) => provable[member]!.taken,
  );
  const waiting = waitingOf(atoms, rules);
  const glance = createGlance(waiting, marker);
  const isPlain = ({ signature }: Rule): boolean => signature.category !== 'sensitive-data';
  const plainGlance = createGlance(waitingFor(waiting, isPlain), marker);
  const shapesIn = shapesFinder(decoders);
  if (patternSets === null || provableSets === null || glance === null || plainGlance === null || shapesIn === null)
    return { problems: [problemOf(undefined, '', 'the signatures do not fit in memory even one by one')] };

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
      engines,
    },
  };
}
