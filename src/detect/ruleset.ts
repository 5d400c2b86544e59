import { createHash } from 'node:crypto';
import RE2 from 're2';
import type { Problem, Signature } from '../domain/signature.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { createGlance } from './glance.ts';
import type { Glance } from './glance.ts';
import { atomOf } from './pattern.ts';
import type { Tree } from './pattern-tree.ts';
import type { Atom, Rule } from './rule.ts';
import { createSets } from './sets.ts';
import { shapesFinder } from './shapes.ts';
import { validatorOf } from './validators/index.ts';

/**
 * What one worker matches with: compiled once, immutable, swapped whole. Everything that any
 * signature needs is an atom: a short pattern without gaps. One set answers "which atoms occur" in a single pass;
 * where they stand is asked of single expressions, and only for signatures whose atoms all occurred.
 */
export interface Ruleset {
  readonly count: number;
  /** Changes when any signature does; caches of clean text are keyed by it. */
  readonly version: string;
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
  /** The next place of one atom, in bytes. */
  readonly find: (atom: number, bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | null;
}

export type Compiled = { readonly ruleset: Ruleset } | { readonly problems: readonly Problem[] };

/**
 * Patterns in one set. In a text that is made of the beginnings of patterns, a set of all of them makes states without end,
 * at 0.3 MB/s for 322 of them; in sets of 8 the same takes a sixth of the time, and those that nobody wants are not asked.
 */
const HANDFUL = 8;

export function compile(signatures: readonly Signature[], decoders: readonly Decoder[]): Compiled {
  const problems: Problem[] = [];
  const atoms: Atom[] = [];
  const byText = new Map<string, number>();

  const proofOf = (written: string, signature: Signature, path: string): RE2[] => {
    const made = atomOf(written);
    if (!made.ok) problems.push(problemOf(signature, path, `'${written}' ${made.reason}`));
    if (!made.ok) return [];
    if (signature.keys === undefined && beginsAnywhere(made.tree))
      problems.push(problemOf(signature, path, `'${written}' begins with a long class: give it 'keys'`));
    try {
      return [new RE2(made.source, signature.exact === true ? 'gu' : 'giu')];
    } catch (error) {
      problems.push(problemOf(signature, path, `RE2 refuses ${made.source}: ${messageOf(error)}`));
      return [];
    }
  };

  const atom = (alternatives: readonly string[], signature: Signature, path: string): number => {
    const parts: string[] = [];
    const trees: Tree[] = [];
    for (const written of alternatives) {
      const made = atomOf(written);
      if (made.ok) {
        parts.push(signature.exact === true ? `(?-i:${made.source})` : made.source);
        trees.push(made.tree);
      } else problems.push(problemOf(signature, path, `'${written}' ${made.reason}`));
    }
    const source = parts.length === 1 ? (parts[0] as string) : `(?:${parts.join('|')})`;
    const known = byText.get(source);
    if (known !== undefined) return known;
    byText.set(source, atoms.length);
    atoms.push({ source, tree: { kind: 'choice', items: trees } });
    return atoms.length - 1;
  };

  const drafts = signatures.map((signature) => {
    const groups = (name: 'near' | 'all'): number[] =>
      signature[name].map((group, i) => atom(group, signature, `${name}[${i}]`));
    const near = groups('near');
    const { check, keys = [] } = signature;
    const isReal = check === undefined ? () => true : validatorOf(check);
    if (isReal === null) problems.push(problemOf(signature, 'check', `'${check}' is not a check`));
    const isProven = check !== undefined || keys.length > 0;
    const lookedFor = keys.length > 0 ? keys : signature.patterns;
    return {
      signature,
      patterns: lookedFor.map((pattern, i) =>
        atom([pattern], signature, `${keys.length > 0 ? 'keys' : 'patterns'}[${i}]`),
      ),
      proofs: isProven ? signature.patterns.flatMap((pattern, i) => proofOf(pattern, signature, `patterns[${i}]`)) : [],
      isReal: isReal ?? (() => false),
      near,
      span: signature.within * Math.max(1, near.length - 1),
      all: groups('all'),
    };
  });

  const singles: (RE2 | undefined)[] = Array.from({ length: atoms.length });
  for (const [index, { source }] of atoms.entries()) {
    try {
      singles[index] = new RE2(source, 'giu');
    } catch (error) {
      const owner = drafts.find((rule) => [...rule.patterns, ...rule.near, ...rule.all].includes(index));
      problems.push(problemOf(owner?.signature, 'patterns', `RE2 refuses ${source}: ${messageOf(error)}`));
    }
  }
  if (problems.length > 0) return { problems };

  const rules: readonly Rule[] = drafts;
  const marker = (members: readonly number[]): ((bytes: Buffer, present: Uint8Array) => void) | null => {
    const sets = createSets(sourcesOf(members), 'iu');
    return sets === null
      ? null
      : (bytes, present) => sets.match(bytes, (member) => void (present[members[member] as number] = 1));
  };
  const sourcesOf = (members: readonly number[]): string[] => members.map((atom) => (atoms[atom] as Atom).source);
  const patterns = [...new Set(rules.flatMap((rule) => (rule.proofs.length > 0 ? [] : rule.patterns)))];
  const patternSets = createSets(sourcesOf(patterns), 'iu', HANDFUL);
  const provable = rules
    .filter((rule) => rule.proofs.length > 0)
    .flatMap((rule) => plausibilityOf(rule).map((source) => ({ rule, source })));
  const provableSets = createSets(
    provable.map(({ source }) => source),
    'iu',
    HANDFUL,
  );
  const glance = createGlance(atoms, rules, marker);
  const plainGlance = createGlance(
    atoms,
    rules.filter(({ signature }) => signature.category !== 'sensitive-data'),
    marker,
  );
  const shapesIn = shapesFinder(decoders);
  if (patternSets === null || provableSets === null || glance === null || plainGlance === null || shapesIn === null)
    return { problems: [problemOf(undefined, '', 'the signatures do not fit in memory even one by one')] };

  return {
    ruleset: {
      count: signatures.length,
      version: versionOf(signatures, decoders),
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
      find: (atom, bytes, from) => {
        const single = singles[atom] as RE2;
        single.lastIndex = from;
        const found = single.exec(bytes);
        return found === null ? null : { start: found.index, end: found.index + found[0].length };
      },
    },
  };
}

/** Its patterns as a set can hold them: one that begins with a long class is there with the rule's keys instead. */
function plausibilityOf({ signature, proofs }: Rule): string[] {
  const { patterns, keys = [] } = signature;
  const made = [...patterns.entries()].flatMap(([i, pattern]) => {
    const atom = atomOf(pattern);
    return atom.ok && beginsAnywhere(atom.tree) ? [] : [(proofs[i] as RE2).source];
  });
  const instead =
    made.length === patterns.length ? [] : keys.map(atomOf).flatMap((key) => (key.ok ? [key.source] : []));
  return [...made, ...instead].map((source) => (signature.exact === true ? `(?-i:${source})` : source));
}

const LONG_CLASS = 14;

/** A counted class at the beginning means a state for each character at which the match may have begun: 2 MB/s, measured. */
function beginsAnywhere(tree: Tree): boolean {
  if (tree.kind === 'sequence') return tree.items.length > 0 && beginsAnywhere(tree.items[0] as Tree);
  if (tree.kind === 'choice') return tree.items.some(beginsAnywhere);
  return tree.kind === 'repeat' && tree.item.kind === 'set' && tree.max >= LONG_CLASS;
}

function versionOf(signatures: readonly Signature[], decoders: readonly Decoder[]): string {
  const hash = createHash('sha256');
  for (const { source: _, ...signature } of signatures) hash.update(JSON.stringify(signature));
  for (const { name, shape } of decoders) hash.update(name).update(shape);
  return hash.digest('hex').slice(0, 16);
}

function problemOf(signature: Signature | undefined, path: string, message: string): Problem {
  const { file, line } = signature?.source ?? { file: 'signatures', line: 1 };
  const where = signature === undefined ? path : `${signature.id}.${path}`;
  return { file, line, column: 1, path: where, message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
