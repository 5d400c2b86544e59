import { createHash } from 'node:crypto';
import RE2 from 're2';
import type { Problem, Signature } from '../domain/signature.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { createGlance } from './glance.ts';
import type { Glance } from './glance.ts';
import { NOTHING_KNOWN, readAtom, readProof } from './known-atom.ts';
import type { Known, KnownProof } from './known-atom.ts';
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
  readonly occurs: (atom: number, bytes: Buffer) => boolean;
  /** The next place of one atom, in bytes. */
  readonly find: (atom: number, bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | null;
}

export type Compiled = { readonly ruleset: Ruleset } | { readonly problems: readonly Problem[] };

/**
 * Patterns in one set. In a text that is made of the beginnings of patterns, a set of all of them makes states without end,
 * at 0.3 MB/s for 322 of them; in sets of 8 the same takes a sixth of the time, and those that nobody wants are not asked.
 */
const HANDFUL = 8;

export function compile(
  signatures: readonly Signature[],
  decoders: readonly Decoder[],
  ready: Known = NOTHING_KNOWN,
): Compiled {
  let known = ready;
  const problems: Problem[] = [];
  const atoms: Atom[] = [];
  const bySource = new Map<string, number>();
  /** Refused by RE2 so far; what the build knows was not. */
  const untried: number[] = [];
  /** Proofs that RE2 has not been seen to take, and atoms. */
  const untaken = new Set<string>();

  const proofOf = (written: string, signature: Signature, path: string): Proof[] => {
    const found = known.proof(written);
    const made = found === undefined ? readProof(written) : { ok: true as const, ...found };
    if (!made.ok) problems.push(problemOf(signature, path, `'${written}' ${made.reason}`));
    if (!made.ok) return [];
    if (signature.keys === undefined && made.beginsAnywhere)
      problems.push(problemOf(signature, path, `'${written}' begins with a long class: give it 'keys'`));
    const proof = proofFrom(made, signature);
    if (found !== undefined) return [proof];
    untaken.add(made.source);
    try {
      proof.engine();
      return [proof];
    } catch (error) {
      problems.push(problemOf(signature, path, `RE2 refuses ${made.source}: ${messageOf(error)}`));
      return [];
    }
  };

  const atom = (written: readonly string[], signature: Signature, path: string): number => {
    const isExact = signature.exact === true;
    const found = known.atom(written, isExact);
    const made =
      found ??
      readAtom(written, isExact, (one, reason) => problems.push(problemOf(signature, path, `'${one}' ${reason}`)));
    const same = bySource.get(made.source);
    if (same !== undefined) return same;
    bySource.set(made.source, atoms.length);
    if (found === undefined) {
      untried.push(atoms.length);
      untaken.add(made.source);
    }
    atoms.push({ ...made, written });
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
    const made = isProven
      ? signature.patterns.flatMap((pattern, i) => proofOf(pattern, signature, `patterns[${i}]`))
      : [];
    let proofs: readonly RE2[] | null = null;
    return {
      signature,
      patterns: lookedFor.map((pattern, i) =>
        atom([pattern], signature, `${keys.length > 0 ? 'keys' : 'patterns'}[${i}]`),
      ),
      made,
      isProven: made.length > 0,
      get proofs(): readonly RE2[] {
        return (proofs ??= made.map((proof) => proof.engine()));
      },
      isReal: isReal ?? (() => false),
      near,
      span: signature.within * Math.max(1, near.length - 1),
      all: groups('all'),
    };
  });

  // Each takes a tenth of a millisecond to make, and most are never asked: what the build saw RE2 accept is made when it is.
  const singles: (RE2 | undefined)[] = Array.from({ length: atoms.length });
  const singleOf = (atom: number): RE2 => (singles[atom] ??= new RE2((atoms[atom] as Atom).source, 'giu'));
  for (const index of untried) {
    try {
      singleOf(index);
    } catch (error) {
      const owner = drafts.find((rule) => [...rule.patterns, ...rule.near, ...rule.all].includes(index));
      const { source } = atoms[index] as Atom;
      problems.push(problemOf(owner?.signature, 'patterns', `RE2 refuses ${source}: ${messageOf(error)}`));
    }
  }
  if (problems.length > 0) return { problems };

  const rules: readonly (Rule & { readonly made: readonly Proof[] })[] = drafts;
  const marker = (members: readonly number[]): ((bytes: Buffer, present: Uint8Array) => void) | null => {
    const sets = createSets(sourcesOf(members), 'iu');
    return sets === null
      ? null
      : (bytes, present) => sets.match(bytes, (member) => void (present[members[member] as number] = 1));
  };
  const sourcesOf = (members: readonly number[]): string[] => members.map((atom) => (atoms[atom] as Atom).source);
  /** A rule's patterns as a set can hold them: one that begins with a long class is there with the rule's keys instead. */
  const plausibilityOf = (rule: (typeof rules)[number]): string[] => {
    const { made } = rule;
    const holdable = made.filter(({ beginsAnywhere }) => !beginsAnywhere);
    const flagged = holdable.map(({ source }) => (rule.signature.exact === true ? `(?-i:${source})` : source));
    return holdable.length === made.length ? flagged : [...flagged, ...sourcesOf(rule.patterns)];
  };
  const patterns = [...new Set(rules.flatMap((rule) => (rule.isProven ? [] : rule.patterns)))];
  const isTaken = (source: string): boolean => !untaken.has(source);
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
  const glance = createGlance(atoms, rules, marker);
  const plainGlance = createGlance(
    atoms,
    rules.filter(({ signature }) => signature.category !== 'sensitive-data'),
    marker,
  );
  const shapesIn = shapesFinder(decoders);
  if (patternSets === null || provableSets === null || glance === null || plainGlance === null || shapesIn === null)
    return { problems: [problemOf(undefined, '', 'the signatures do not fit in memory even one by one')] };

  // The closures below hold all that was made here: what the build knew, and which of it stood where, no scan asks again.
  known = NOTHING_KNOWN;
  bySource.clear();

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
      occurs: (atom, bytes) => {
        const single = singleOf(atom);
        single.lastIndex = 0;
        return single.test(bytes);
      },
      find: (atom, bytes, from) => {
        const single = singleOf(atom);
        single.lastIndex = from;
        const found = single.exec(bytes);
        return found === null ? null : { start: found.index, end: found.index + found[0].length };
      },
    },
  };
}

/** A pattern that proves; the engine makes it when it is asked the first time. */
interface Proof extends KnownProof {
  readonly engine: () => RE2;
}

function proofFrom({ source, beginsAnywhere }: KnownProof, { exact }: Signature): Proof {
  let made: RE2 | null = null;
  return { source, beginsAnywhere, engine: () => (made ??= new RE2(source, exact === true ? 'gu' : 'giu')) };
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
