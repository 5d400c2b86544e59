import RE2 from 're2';
import type { Problem } from '../domain/problem.ts';
import type { Matcher } from '../domain/signature.ts';
import { keepEngines } from './engine/engines.ts';
import type { Engines } from './engine/engines.ts';
import type { Key } from './patterns/keys.ts';
import { NOTHING_KNOWN, readAtom, readProof } from './patterns/known-atom.ts';
import type { Known, KnownAtom, KnownProof } from './patterns/known-atom.ts';
import { inFull } from './patterns/pattern.ts';
import type { Atom, Rule } from './rule.ts';
import { validatorOf } from './validators/index.ts';

/**
 * The result of reading signatures, with everything that is wrong with them. A ruleset is made only if there are no
 * problems.
 */
export interface Drafts {
  readonly rules: readonly DraftRule[];
  readonly atoms: readonly Atom[];
  /** The expression of each atom. If the build saw RE2 accept it, it is compiled when it is first used. */
  readonly engines: Engines<RE2>;
  /** Whether the build saw RE2 accept the source. */
  readonly isTaken: (source: string) => boolean;
  readonly problems: readonly Problem[];
}

export type DraftRule = Rule & { readonly made: readonly Proof[] };

export function draftsOf(signatures: readonly Matcher[], ready: Known): Drafts {
  let known = ready;
  const problems: Problem[] = [];
  const atoms: Atom[] = [];
  const bySource = new Map<string, number>();
  /** Atoms that the build did not read: RE2 still has to accept them. */
  const untried: number[] = [];
  /** Sources of proofs and atoms that the build did not see RE2 accept. */
  const untaken = new Set<string>();

  /** Keys of patterns that the build did not read. Equal keys become one object, as they are in what the build read. */
  const keys = new Map<string, Key>();
  const shared = (key: Key): Key => {
    const name = `${key.kind}:${key.text}`;
    const same = keys.get(name) ?? key;
    keys.set(name, same);
    return same;
  };
  const sharing = (atom: KnownAtom): KnownAtom => ({
    ...atom,
    groups: atom.groups?.map((group) => ({ ...group, keys: group.keys.map(shared) })) ?? null,
  });

  /** The proofs in their order. Their engines have the numbers -1, -2 and so on; those of atoms begin at 0. */
  const proving: { readonly source: string; readonly flags: string }[] = [];
  const engines = keepEngines((number) => {
    if (number >= 0) return new RE2(inFull(atoms[number]!.source), 'giu');
    const { source, flags } = proving[-number - 1]!;
    return new RE2(inFull(source), flags);
  });

  const proofOf = (written: string, signature: Matcher, path: string): Proof[] => {
    const found = known.proof(written);
    const made = found === undefined ? readProof(written) : { ok: true as const, ...found };
    if (!made.ok) problems.push(problemOf(signature, path, `'${written}' ${made.reason}`));
    if (!made.ok) return [];
    if (signature.keys === undefined && made.beginsAnywhere)
      problems.push(problemOf(signature, path, `'${written}' begins with a long class: give it 'keys'`));
    const flags = signature.exact === true ? 'gu' : 'giu';
    const number = -proving.push({ source: made.source, flags });
    const proof = { ...made, engine: () => engines.of(number) };
    if (found !== undefined) return [proof];
    untaken.add(made.source);
    try {
      proof.engine();
      return [proof];
    } catch (error) {
      problems.push(problemOf(signature, path, `RE2 refuses ${inFull(made.source)}: ${messageOf(error)}`));
      return [];
    }
  };

  /** The index of the atom for these alternatives, which is added if there is none with the same source. */
  const atom = (written: readonly string[], signature: Matcher, path: string): number => {
    const isExact = signature.exact === true;
    const found = known.atom(written, isExact);
    const refused = (one: string, reason: string): void =>
      void problems.push(problemOf(signature, path, `'${one}' ${reason}`));
    const made = found ?? sharing(readAtom(written, isExact, refused));
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

  const rules = signatures.map((signature) => {
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
    return {
      signature,
      patterns: lookedFor.map((pattern, i) =>
        atom([pattern], signature, `${keys.length > 0 ? 'keys' : 'patterns'}[${i}]`),
      ),
      made,
      isProven: made.length > 0,
      get proofs(): readonly RE2[] {
        return made.map(({ engine }) => engine());
      },
      isReal: isReal ?? (() => false),
      longestProof: made.reduce((most, { max }) => Math.max(most, max), 0),
      // Longest first. The engine is asked where words of each group were seen: a group that is a single word matches
      // then, and a longer one most often does not.
      near: near.toSorted((one, other) => atoms[other]!.max - atoms[one]!.max),
      span: signature.within * Math.max(1, near.length - 1),
      all: groups('all'),
    };
  });

  for (const index of untried) {
    try {
      engines.of(index);
    } catch (error) {
      const owner = rules.find((rule) => [...rule.patterns, ...rule.near, ...rule.all].includes(index));
      const { source } = atoms[index] as Atom;
      problems.push(problemOf(owner?.signature, 'patterns', `RE2 refuses ${inFull(source)}: ${messageOf(error)}`));
    }
  }
  if (untried.length > 0) engines.forget();
  // The closures that are returned keep everything alive that was made here. No scan needs what the build knew, or
  // these maps.
  known = NOTHING_KNOWN;
  bySource.clear();
  keys.clear();
  return { rules, atoms, engines, isTaken: (source) => !untaken.has(source), problems };
}

/** A pattern that proves what keys, or a pattern with a check, only suggest. */
interface Proof extends KnownProof {
  readonly engine: () => RE2;
}

export function problemOf(signature: Matcher | undefined, path: string, message: string): Problem {
  const { file, line } = signature?.source ?? { file: 'signatures', line: 1 };
  const where = signature === undefined ? path : `${signature.id}.${path}`;
  return { file, line, column: 1, path: where, message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
