import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Key } from './keys.ts';
import { readProof } from './known-atom.ts';
import type { Known, KnownAtom, KnownProof } from './known-atom.ts';
import type { Ruleset } from '../ruleset.ts';

/**
 * What the build has read from the bundled patterns, so that no thread reads them again: that is half of the time it
 * takes to compile a ruleset. Entries are found by the text of a pattern and not by its position, so that an operator's
 * own signatures, or a changed file, are simply read. What is read depends on the code in this folder: a file written by
 * other versions of it is ignored. Refused: storing the compiled programs of RE2, which it cannot serialize.
 */
const HERE = new URL('./', import.meta.url);
const FILE = new URL('known-at-build.json', HERE);
/** The one thing elsewhere that the code in this folder reads by: what may stand between words. */
const SEPARATORS = new URL('../../text/separators.js', HERE);

/**
 * Layout of the file. Every thread parses it before it is ready, and many small values are slow to parse: so keys stand
 * in the lines of one string. A group names its keys by steps, each from the number of one key to that of the next: most
 * stand beside each other, and steps of one make the packed file an eighth smaller.
 */
interface Kept {
  /** A hash of the code that it was read by. */
  readonly readers: string;
  /** For each kind, one key per line. Keys are numbered in this order, across all kinds. */
  readonly keys: readonly (readonly [kind: Key['kind'], texts: string])[];
  readonly atoms: readonly (readonly [
    name: string,
    source: string,
    max: number,
    groups: readonly (readonly [share: number, apart: number | null, steps: readonly number[]])[] | null,
    marks: readonly string[] | null,
  ])[];
  readonly proofs: readonly (readonly [written: string, source: string, beginsAnywhere: boolean, max: number])[];
}

/** Null when there is no usable file: it was not built, or it was written by other code than there is. */
export function knownAtBuild(): Known | null {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
    return kept.readers === readersOf() ? knownFrom(kept) : null;
  } catch {
    return null;
  }
}

function knownFrom({ keys: kinds, atoms: listed, proofs: listedProofs }: Kept): Known {
  const keys: Key[] = [];
  for (const [kind, texts] of kinds) for (const text of texts.split('\n')) keys.push({ kind, text });
  const atoms = new Map<string, Kept['atoms'][number]>();
  for (const atom of listed) atoms.set(atom[0], atom);
  const proofs = new Map<string, KnownProof>();
  for (const [written, source, beginsAnywhere, max] of listedProofs)
    proofs.set(written, { source, beginsAnywhere, max });
  return {
    atom(written, exact): KnownAtom | undefined {
      const found = atoms.get(nameOf(written, exact));
      if (found === undefined) return undefined;
      const [, source, max, groups, marks] = found;
      const sought = groups?.map(([share, apart, steps]) => ({
        share,
        apart: apart ?? Infinity,
        keys: numbersAlong(steps).map((number) => keys[number]!),
      }));
      return { source, max, groups: sought ?? null, marks };
    },
    proof: (written) => proofs.get(written),
  };
}

/** Writes the file for a ruleset that was compiled, so that RE2 has accepted all of it. */
export function writeKnownAtBuild({ rules, atoms }: Ruleset): void {
  const texts = new Map<Key['kind'], Set<string>>();
  for (const { groups } of atoms)
    for (const { kind, text } of (groups ?? []).flatMap(({ keys }) => keys))
      texts.set(kind, (texts.get(kind) ?? new Set()).add(text));
  const numbers = new Map<string, number>();
  for (const [kind, of] of texts) for (const text of of) numbers.set(`${kind}:${text}`, numbers.size);
  const numberOf = ({ kind, text }: Key): number => numbers.get(`${kind}:${text}`)!;
  const exact = new Set(
    rules.flatMap(({ signature, patterns, near, all }) =>
      signature.exact === true ? [...patterns, ...near, ...all] : [],
    ),
  );
  const proven = rules.filter(({ isProven }) => isProven).flatMap(({ signature }) => signature.patterns);
  const kept: Kept = {
    readers: readersOf(),
    keys: Array.from(texts, ([kind, of]) => [kind, [...of].join('\n')]),
    atoms: atoms.map(({ written, source, max, groups, marks }, at) => [
      nameOf(written, exact.has(at)),
      source,
      max,
      groups?.map(({ share, apart, keys }) => {
        // JSON has no infinity.
        return [share, Number.isFinite(apart) ? apart : null, stepsBetween([...new Set(keys.map(numberOf))])] as const;
      }) ?? null,
      marks,
    ]),
    proofs: [...new Set(proven)].flatMap((written) => {
      const made = readProof(written);
      return made.ok ? [[written, made.source, made.beginsAnywhere, made.max] as const] : [];
    }),
  };
  writeFileSync(FILE, JSON.stringify(kept));
}

function stepsBetween(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

function numbersAlong(steps: readonly number[]): number[] {
  let number = 0;
  return steps.map((step) => (number += step));
}

/**
 * A hash in place of the patterns themselves, which were half of the file that every thread reads. Its 72 bits tell
 * millions of patterns apart. With 132 the package was a hundredth larger, because hashes cannot be compressed.
 */
function nameOf(written: readonly string[], exact: boolean): string {
  const words = createHash('sha256').update(JSON.stringify(written)).digest('base64').slice(0, 12);
  return `${exact ? '=' : '~'}${words}`;
}

function readersOf(): string {
  const hash = createHash('sha256');
  const programs = readdirSync(HERE).filter((name) => name.endsWith('.js'));
  for (const file of [...programs.sort().map((name) => new URL(name, HERE)), SEPARATORS])
    hash.update(readFileSync(file));
  return hash.digest('base64');
}
