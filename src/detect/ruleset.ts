import { createHash } from 'node:crypto';
import RE2 from 're2';
import type { Problem, Signature } from '../domain/signature.ts';
import type { Decoder } from '../text/decoders/decoder.ts';
import { createGlance } from './glance.ts';
import type { Glance } from './glance.ts';
import { atomOf } from './pattern.ts';
import type { Tree } from './pattern-tree.ts';
import type { Atom, Rule } from './rule.ts';
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
   * Sets `present[atom]` for the patterns of rules without proofs that occur in the bytes, all in one pass. Throws when the engine runs out of
   * memory; it never answers "no match" then.
   */
  readonly markPatterns: (bytes: Buffer, present: Uint8Array) => void;
  /**
   * Rules with proofs that are worth trying in the bytes. Shapes of tokens and numbers are full of counts, and a set of
   * them all reads slowly: it is not for every text, but bounds what hostile text can cost.
   */
  readonly provableIn: (bytes: Buffer) => ReadonlySet<Rule>;
  /** Decoders that go by their shape, and whose shape occurs in the bytes, by index. The others go by a hint. */
  readonly shapesIn: (bytes: Buffer) => number[];
  /** The next place of one atom, in bytes. */
  readonly find: (atom: number, bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | null;
}

export type Compiled = { readonly ruleset: Ruleset } | { readonly problems: readonly Problem[] };

/** Beyond RE2's default of 8 MB: a larger cache of states is what keeps varied text at full speed. Used only as needed. */
const SET_MEMORY = 64 * 1024 * 1024;
const SMALLEST_SHARD = 8;

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
  const unique = (pick: (rule: Rule) => readonly number[]): number[] => [...new Set(rules.flatMap(pick))];
  const marker = (members: readonly number[]): ((bytes: Buffer, present: Uint8Array) => void) | null => {
    const shards = shardsOf(members.map((atom) => (atoms[atom] as Atom).source));
    if (shards === null) return null;
    return (bytes, present) => {
      for (const { first, set } of shards)
        for (const hit of set.match(bytes)) present[members[first + hit] as number] = 1;
    };
  };
  const proven = rules.filter((rule) => rule.proofs.length > 0);
  const provable = proven.flatMap((rule) => plausibilityOf(rule).map((source) => ({ rule, source })));
  const proofShards = shardsOf(provable.map(({ source }) => source));
  const markPatterns = marker(unique((rule) => (rule.proofs.length > 0 ? [] : rule.patterns)));
  const glance = createGlance(atoms, rules, marker);
  const plainGlance = createGlance(
    atoms,
    rules.filter(({ signature }) => signature.category !== 'sensitive-data'),
    marker,
  );
  const shapesIn = shapesFinder(decoders, SET_MEMORY);
  if (proofShards === null || markPatterns === null || glance === null || plainGlance === null)
    return { problems: [problemOf(undefined, '', 'the signatures do not fit in memory even one by one')] };

  return {
    ruleset: {
      count: signatures.length,
      version: versionOf(signatures, decoders),
      rules,
      atoms,
      decoders,
      markPatterns,
      provableIn: (bytes) => {
        const found = new Set<Rule>();
        for (const { first, set } of proofShards)
          for (const hit of set.match(bytes)) found.add((provable[first + hit] as { rule: Rule }).rule);
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

interface Shard {
  readonly first: number;
  readonly set: InstanceType<typeof RE2.Set>;
}

/** One set when it compiles, else halves: RE2 refuses a set that is too big, and says so only by throwing. */
function shardsOf(sources: readonly string[]): Shard[] | null {
  const done: Shard[] = [];
  const queue: [first: number, sources: readonly string[]][] = [[0, sources]];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [first, part] = next;
    if (part.length === 0) continue;
    try {
      done.push({ first, set: new RE2.Set([...part], 'iu', { maxMem: SET_MEMORY }) });
    } catch {
      if (part.length <= SMALLEST_SHARD) return null;
      const half = part.length >> 1;
      queue.push([first, part.slice(0, half)], [first + half, part.slice(half)]);
    }
  }
  return done;
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
